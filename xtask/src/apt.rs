//! Debian's packages, where this is Debian and we may install.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::screen::Step;
use crate::workspace::Workspace;

/// Installs packages. Removes none, and takes no recommendation.
pub(crate) fn install(workspace: &Workspace, step: &Step, packages: &[&str]) -> Result<()> {
    let by_hand = format!("apt-get install --no-install-recommends {}", packages.join(" "));
    if find_program("apt-get").is_none() {
        bail!("this is no Debian; on one, `{by_hand}` would do");
    }
    let Some(prefix) = privilege() else {
        bail!("installing needs an administrator; run `{by_hand}` as one");
    };
    step.say(&format!("installing Debian's {}", packages.join(", ")));
    let apt = |arguments: &[&str]| {
        let mut words = prefix.iter().copied().chain(["apt-get"]);
        let mut command = workspace.program(words.next().unwrap_or("apt-get"));
        command.args(words).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    process::must(workspace, step, "apt-update", &mut apt(&["update", "-q"]))?;
    let mut install = apt(&["install", "-y", "-q", "--no-install-recommends", "--no-remove"]);
    process::must(workspace, step, "apt-install", install.args(packages))
}

/// The words before `apt-get`: none for root, `sudo` where it asks nothing.
fn privilege() -> Option<Vec<&'static str>> {
    if process::ask(Command::new("id").arg("-u")).as_deref() == Some("0") {
        return Some(vec![]);
    }
    process::ask(Command::new("sudo").args(["-n", "true"]))
        .map(|_| vec!["sudo", "-n", "DEBIAN_FRONTEND=noninteractive"])
}

/// The first program of that name on the search path.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
