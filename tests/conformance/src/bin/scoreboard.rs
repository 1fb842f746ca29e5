//! Runs every vector through every host of this crate, shows the table, and
//! writes it to `tests/scoreboard.txt` with `--write`.

use std::fs;

use anyhow::{Result, bail};
use result_budget_conformance::{Adapter, Component, CoreEngine, run, scoreboard, vector};

fn main() -> Result<()> {
    let write = std::env::args().any(|argument| argument == "--write");
    let vectors = vector::load(&[])?;
    let mut component = Component::load()?;
    let hosts: [&mut dyn Adapter; 2] = [&mut CoreEngine, &mut component];
    let mut scores = Vec::new();
    for host in hosts {
        let score = run::run(host, &vectors)?;
        print!("{}", score.failures());
        scores.push(score);
    }
    println!("{} vectors\n{}", vectors.len(), scoreboard::shown(&scores));
    if write {
        fs::write(scoreboard::file(), scoreboard::committed(&scores))?;
    }
    if scores.iter().any(|score| !score.failed.is_empty()) {
        bail!("a host failed");
    }
    Ok(())
}
