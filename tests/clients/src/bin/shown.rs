//! Shows results as a client would: one result a line in, one text a line
//! out, as a JSON string. The one argument is the client's name.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use result_budget_clients::CLIENTS;
use result_budget_support::Tree;

fn main() -> io::Result<ExitCode> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(client) = CLIENTS.iter().find(|client| client.name == name) else {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        eprintln!("unknown client `{name}`, allowed: {}", names.join(", "));
        return Ok(ExitCode::FAILURE);
    };
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some(result) = Tree::parse(&line) else {
            eprintln!("no JSON: {line}");
            return Ok(ExitCode::FAILURE);
        };
        let text = serde_json::Value::String((client.shown)(&result).text);
        writeln!(out, "{text}")?;
    }
    Ok(ExitCode::SUCCESS)
}
