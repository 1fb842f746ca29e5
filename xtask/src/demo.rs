//! Stub.
use crate::{screen::Screen, workspace::Workspace};
use anyhow::Result;
pub(crate) fn run(_: &Workspace, _: &Screen) -> Result<()> {
    Ok(())
}
