//! What `result-budget proxy` adds to a call, beside the least that can stand
//! between two processes: a relay that copies bytes both ways.
//!
//! `cargo bench -p result-budget-cli --bench proxy` prints one table. Without
//! `--bench` it only proves that it runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a measurement")]

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A way to the echo server.
struct Way {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    heard: Vec<u8>,
    took: Vec<Duration>,
}

impl Way {
    fn new(command: &[&str]) -> Self {
        let mut child = Command::new(command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::with_capacity(64 * 1_024, child.stdout.take().unwrap());
        Way { child, stdin, stdout, heard: Vec::new(), took: Vec::new() }
    }

    /// One call and its answer.
    fn call(&mut self, request: &[u8]) {
        let started = Instant::now();
        self.stdin.write_all(request).unwrap();
        self.heard.clear();
        self.stdout.read_until(b'\n', &mut self.heard).unwrap();
        self.took.push(started.elapsed());
    }

    fn median(&mut self) -> Duration {
        self.took.sort_unstable();
        self.took[self.took.len() / 2]
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() {
    let is_short = !env::args().any(|argument| argument == "--bench");
    let server = env!("CARGO_BIN_EXE_scripted-server");
    let proxy = env!("CARGO_BIN_EXE_result-budget");
    let text = |bytes: usize| -> String {
        let line = "2026-11-30T20:04:10Z INFO a line of a log, with a number 1234567 in it\\n";
        line.repeat(bytes / line.len() + 1)[..bytes].trim_end_matches('\\').to_owned()
    };
    let policy = env::temp_dir().join(format!("proxy-bench-{}.json", std::process::id()));
    std::fs::write(
        &policy,
        r#"{"version":1,"limits":{"max_text_bytes":16777216,"max_result_bytes":16777216}}"#,
    )
    .unwrap();
    let wide = ["--policy", policy.to_str().unwrap()];
    if !is_short {
        println!(
            "{:<22} {:>10} {:>12} {:>12} {:>8}  at most",
            "echo of", "direct us", "relay adds", "proxy adds", "ratio"
        );
    }
    for (name, bytes, calls, most, options) in [
        ("2 KB", 2_000, 4_000, 1.5, &[][..]),
        ("2 KB, report-only", 2_000, 4_000, f64::NAN, &["--report-only"]),
        ("32 KB", 30_000, 2_000, f64::NAN, &[]),
        ("1 MB, fits", 1_000_000, 150, 3.0, &wide),
        ("1 MB, cut to 32 KB", 1_000_000, 150, 3.0, &[]),
    ] {
        let calls = if is_short { 2 } else { calls };
        let request = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"{}"}}}}}}"#,
            text(bytes)
        ) + "\n";
        let through: Vec<&str> = [proxy, "proxy"]
            .iter()
            .chain(options)
            .chain(&["--", server, "echo"])
            .copied()
            .collect();
        let mut ways = [
            Way::new(&[server, "echo"]),
            Way::new(&[server, "relay", server, "echo"]),
            Way::new(&through),
        ];
        for _ in 0..calls / 10 + 1 {
            for way in &mut ways {
                way.call(request.as_bytes());
            }
        }
        for way in &mut ways {
            way.took.clear();
        }
        // In turns, so that what else the machine does touches all alike.
        for _ in 0..calls {
            for way in &mut ways {
                way.call(request.as_bytes());
            }
        }
        if is_short {
            println!("{name}: runs");
            continue;
        }
        let [direct, relay, proxy] = ways.each_mut().map(|way| way.median().as_secs_f64() * 1e6);
        let (relay_adds, proxy_adds) = (relay - direct, proxy - direct);
        let most = if most.is_nan() { String::from("-") } else { format!("{most:.1}") };
        println!(
            "{name:<22} {direct:>10.1} {relay_adds:>12.1} {proxy_adds:>12.1} {:>8.2}  {most}",
            proxy_adds / relay_adds
        );
    }
    let _ = std::fs::remove_file(&policy);
}
