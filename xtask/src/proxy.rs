//! The proxy before real servers, between them and the official clients.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::node;
use crate::process;
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
    node::tools(workspace, step)?;
    let folder = workspace.target.join("proxy");
    fs::create_dir_all(&folder)?;
    let pinned = workspace.root.join(TESTS);
    let wanted = fs::read_to_string(pinned.join("package-lock.json"))?;
    let made = folder.join("installed.json");
    if !fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
        for file in ["package.json", "package-lock.json", ".npmrc"] {
            fs::copy(pinned.join(file), folder.join(file))?;
        }
        step.say("npm ci of the servers");
        process::must(workspace, step, "npm-proxy", node::npm(workspace, &folder).arg("ci"))?;
        fs::write(made, wanted)?;
    }
    for name in ENVIRONMENTS {
        let requirements = pinned.join(format!("{name}.txt"));
        let wanted = fs::read_to_string(&requirements)?;
        let environment = folder.join(name);
        let made = environment.join("requirements.txt");
        if fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
            continue;
        }
        step.say(&format!("making the environment `{name}`"));
        let mut venv = workspace.program("python3");
        venv.args(["-m", "venv", "--clear"]).arg(&environment);
        process::must(workspace, step, &format!("venv-proxy-{name}"), &mut venv)?;
        let mut pip = workspace.program(environment.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&requirements);
        process::must(workspace, step, &format!("pip-proxy-{name}"), &mut pip)?;
        fs::write(&made, wanted)?;
    }
    let mut pytest = workspace.program(folder.join("servers/bin/python"));
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS]);
    let debug = workspace.target.join("debug");
    pytest.env("PROXY", debug.join("result-budget"));
    pytest.env("SCRIPTED_SERVER", debug.join("scripted-server"));
    pytest.env("NODE", node::node(workspace).get_program()).env("INSTALLED", folder);
    Ok(pytest)
}
