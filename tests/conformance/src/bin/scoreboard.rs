//! Runs every vector through every host, in all languages, shows the table, and
//! holds it against `tests/scoreboard.txt`, or writes it there with `--write`.

use std::fs;

use anyhow::{Result, bail};
use result_budget_conformance::{hosts, run, scoreboard, vector};

fn main() -> Result<()> {
    let write = std::env::args().any(|argument| argument == "--write");
    let vectors = vector::load(&[])?;
    let mut scores = Vec::new();
    for mut host in hosts::own()?.into_iter().chain(hosts::foreign()?) {
        let score = run::run(host.as_mut(), &vectors)?;
        print!("{}", score.failures());
        scores.push(score);
    }
    println!("{} vectors\n{}", vectors.len(), scoreboard::shown(&scores));
    let failed: usize = scores.iter().map(|score| score.failed.len()).sum();
    let passed: usize = scores.iter().map(|score| score.passed).sum();
    println!("test result: {passed} passed; {failed} failed");
    if write {
        fs::write(scoreboard::file(), scoreboard::committed(&scores))?;
    } else if fs::read_to_string(scoreboard::file())? != scoreboard::committed(&scores) {
        bail!("tests/scoreboard.txt says something else; `--write` writes what is");
    }
    if failed > 0 {
        bail!("a host failed");
    }
    Ok(())
}
