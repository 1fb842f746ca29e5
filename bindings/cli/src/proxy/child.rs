//! The server's process: started in a group of its own, and ended with all
//! that it started.

use std::ffi::OsString;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard};

use super::session::lock;

/// The server.
pub(crate) struct Server {
    child: Mutex<Child>,
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

impl Server {
    /// Starts `command`: the program, then its arguments. Its standard error
    /// is ours.
    pub(crate) fn start(command: &[OsString]) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
        let server = Server {
            #[cfg(unix)]
            id: i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw),
            child: Mutex::new(child),
        };
        Ok((server, stdin, stdout))
    }

    /// Waits until the process has ended; it is not yet forgotten by the
    /// system, so that its number stays its own.
    #[cfg(unix)]
    pub(crate) fn wait(&self) {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(id) = self.id else { return };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(id), options), Err(rustix::io::Errno::INTR)) {}
    }

    #[cfg(not(unix))]
    pub(crate) fn wait(&self) {
        while matches!(self.child().try_wait(), Ok(None)) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Asks the process, and all that it started, to end.
    pub(crate) fn terminate(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
        #[cfg(not(unix))]
        self.kill();
    }

    /// Ends the process, and all that it started and that is still there.
    pub(crate) fn kill(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        #[cfg(not(unix))]
        let _ = self.child().kill();
    }

    /// Hands a signal on.
    #[cfg(unix)]
    pub(crate) fn hand_on(&self, signal: i32) {
        self.signal(
            rustix::process::Signal::from_named_raw(signal)
                .unwrap_or(rustix::process::Signal::TERM),
        );
    }

    #[cfg(not(unix))]
    pub(crate) fn hand_on(&self, _signal: i32) {
        self.kill();
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        // It may be gone already.
        if let Some(id) = self.id {
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }

    /// How an ended process ended: its code, or 128 and the signal's number.
    pub(crate) fn exit_code(&self) -> u8 {
        let Ok(status) = self.child().wait() else { return 1 };
        let code = status.code().or_else(|| signal_of(status).map(|signal| 128 + signal));
        code.and_then(|code| u8::try_from(code & 0xff).ok()).unwrap_or(1)
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        lock(&self.child)
    }
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}
