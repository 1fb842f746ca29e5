//! What may stand on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

/// Keeps what an MCP server hands to a model within a budget, and says what it
/// left out.
#[derive(Debug, Parser)]
#[command(
    name = "result-budget",
    version,
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 unchanged or bounded, 2 usage, 3 failed closed."
)]
pub(crate) struct Args {
    /// Print the SHA-256 of the engine
    #[arg(long, required = true)]
    pub(crate) engine_sha: bool,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a tool result fit: result on standard output
    Fit(Box<FitOptions>),
    /// Show the sizes of a tool result, part by part
    Inspect(InspectOptions),
    /// List every limit and preset
    Limits(LimitsOptions),
    /// Run an MCP server, and make each of its results fit
    Proxy(Box<ProxyOptions>),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FitOptions {
    /// The ceilings by name, or `auto` for those of `--client`; see `result-budget limits`
    #[arg(long, value_name = "P", conflicts_with = "limit_bytes")]
    pub(crate) preset: Option<String>,
    /// The client's name, as it calls itself, for `--preset auto`
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,
    /// The whole result's limit, which also caps text and binary data
    // Numbers are read by the engine, so a sign must not look like an option.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) limit_bytes: Option<String>,
    /// The limit of what a model reads, in tokens
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) limit_tokens: Option<String>,
    /// The policy document
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// The tool's name, for its row in the policy
    #[arg(long, value_name = "T")]
    pub(crate) tool: Option<String>,
    /// The protocol revision, as a date
    #[arg(long, value_name = "R")]
    pub(crate) revision: Option<String>,
    /// The wire profile: how the result is printed after this command
    #[arg(long, value_name = "W")]
    pub(crate) profile: Option<String>,
    /// The tool's output schema: a file, `none`, or `unknown`
    #[arg(long, value_name = "FILE|none|unknown", default_value = "unknown")]
    pub(crate) output_schema: PathBuf,
    /// What the input is: `tool`, `prompt`, `resource`, `task`, `error`, `list` or `other`
    #[arg(long, value_name = "K", default_value = "tool")]
    pub(crate) kind: String,
    /// The full report of an earlier boundary that cut this result
    #[arg(long, value_name = "FILE")]
    pub(crate) previous_report: Option<PathBuf>,
    /// The budget that the client asks for in this call
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) max_bytes: Option<String>,
    /// The same in tokens of what a model reads
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) max_tokens: Option<String>,
    /// Print the report, as JSON, on standard error
    #[arg(long)]
    pub(crate) report: bool,
    /// Read a result a line, and print a result a line
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// The tool result; standard input where absent or `-`
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InspectOptions {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The tool result; standard input where absent or `-`
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LimitsOptions {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Exit codes: those of COMMAND, 128 and the signal's number where a signal ended it; 2 usage, 3 no engine."
)]
pub(crate) struct ProxyOptions {
    /// The ceilings by name, or `auto` for those of the client; see `result-budget limits`
    #[arg(long, value_name = "P", conflicts_with = "limit_bytes")]
    pub(crate) preset: Option<String>,
    /// The client's name for `--preset auto`; `auto` is the name that it gives itself
    #[arg(long, value_name = "NAME|auto", default_value = "auto")]
    pub(crate) client: Option<String>,
    /// The whole result's limit, which also caps text and binary data
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) limit_bytes: Option<String>,
    /// The policy document
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Append one line of JSON for each result to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Change nothing, and log what would be cut
    #[arg(long)]
    pub(crate) report_only: bool,
    /// The server: its program and the program's arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
