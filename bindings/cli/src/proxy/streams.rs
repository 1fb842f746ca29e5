//! The process's own streams and signals.

use std::fs::File;
use std::io;
use std::sync::mpsc::Sender;

use super::session::Event;

/// Standard input and output, without the buffers and locks of the library.
#[cfg(unix)]
pub(crate) fn standard() -> io::Result<(File, File)> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((File::from(input), File::from(output)))
}

/// Standard input and output, without the buffers and locks of the library.
#[cfg(windows)]
pub(crate) fn standard() -> io::Result<(File, File)> {
    use std::os::windows::io::AsHandle;
    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = io::stdout().as_handle().try_clone_to_owned()?;
    Ok((File::from(input), File::from(output)))
}

/// Tells of the signals that ask a process to end.
#[cfg(unix)]
pub(crate) fn listen(events: &Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let events = events.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if events.send(Event::Signal(signal)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// A console hands its signals to the server as well.
#[cfg(not(unix))]
pub(crate) fn listen(_events: &Sender<Event>) -> io::Result<()> {
    Ok(())
}

/// Whether somebody holds the other end of `output`.
#[cfg(unix)]
pub(crate) fn is_read(output: &File) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut polled = [PollFd::new(output, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    match poll(&mut polled, Some(&now)) {
        Ok(_) => !polled.iter().any(|polled| polled.revents().intersects(gone)),
        Err(_) => true,
    }
}

/// Whether somebody holds the other end of `output`: a write will tell.
#[cfg(not(unix))]
pub(crate) fn is_read(_output: &File) -> bool {
    true
}
