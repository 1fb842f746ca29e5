//! The proxy before real servers, between them and the official clients.

use std::process::Command;

use anyhow::Result;

use crate::node;
use crate::process;
use crate::python;
use crate::screen::Step;
use crate::workspace::Workspace;

const TESTS: &str = "tests/proxy";

/// Environments of Python: servers and clients of two generations, that do not
/// go together.
const ENVIRONMENTS: [&str; 2] = ["servers", "sqlite"];

/// Why there are no real servers on this machine, where there are none.
pub(crate) fn no_servers() -> Option<&'static str> {
    (!cfg!(unix)).then_some("the real servers are started as on Unix")
}

/// The tests: servers and clients are installed first, below `target`.
pub(crate) fn servers(workspace: &Workspace, step: &Step) -> Result<Command> {
    let mut build = workspace.cargo();
    build.args(["build", "--package", "result-budget-cli", "--bins"]);
    process::must(workspace, step, "proxy-build", &mut build)?;
    let folder = workspace.target.join("proxy");
    node::pinned(workspace, step, TESTS, &folder, "proxy")?;
    for name in ENVIRONMENTS {
        let requirements = workspace.root.join(TESTS).join(format!("{name}.txt"));
        python::environment_in(workspace, step, &folder.join(name), &requirements)?;
    }
    let mut pytest = workspace.program(folder.join("servers/bin/python"));
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS]);
    let debug = workspace.target.join("debug");
    pytest.env("PROXY", debug.join("result-budget"));
    pytest.env("SCRIPTED_SERVER", debug.join("scripted-server"));
    pytest.env("NODE", node::node(workspace).get_program()).env("INSTALLED", folder);
    Ok(pytest)
}
