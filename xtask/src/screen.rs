//! What a person sees: a step at a time, with its progress on a terminal and
//! as plain lines elsewhere.

use std::time::{Duration, Instant};

use console::{Style, style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Where steps are shown.
pub(crate) struct Screen {
    terminal: bool,
}

/// A step that is under way.
pub(crate) struct Step {
    name: String,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Screen {
    /// The screen of this process.
    pub(crate) fn new() -> Self {
        Screen { terminal: console::user_attended_stderr() && console::user_attended() }
    }

    /// Begins a step.
    pub(crate) fn step(&self, name: &str) -> Step {
        let bar = self.terminal.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(look) = ProgressStyle::with_template(
                "{spinner:.cyan} {prefix} {elapsed:.dim} {wide_msg:.dim}",
            ) {
                bar.set_style(look);
            }
            bar.set_prefix(name.to_owned());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        if bar.is_none() {
            println!("==> {name}");
        }
        Step { name: name.to_owned(), started: Instant::now(), bar }
    }

    /// Says that the whole command failed.
    pub(crate) fn fail(&self, message: &str) {
        eprintln!("{} {message}", style("error:").for_stderr().red().bold());
    }

    /// How wide a drawing may be.
    pub(crate) fn columns(&self) -> usize {
        let (_, columns) = console::Term::stdout().size();
        if self.terminal { usize::from(columns) } else { 100 }
    }

    /// Says something between steps.
    pub(crate) fn say(&self, line: &str) {
        println!("{line}");
    }
}

impl Step {
    /// A line that stays.
    pub(crate) fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| println!("    {line}")),
            None => println!("    {line}"),
        }
    }

    /// What the step does just now; gone with the next.
    pub(crate) fn doing(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.to_owned());
        }
    }

    /// A sign of life where nothing moves on the screen.
    pub(crate) fn waiting(&self, last_line: &str) {
        if self.bar.is_none() {
            println!("    after {} s: {last_line}", self.started.elapsed().as_secs());
        }
    }

    /// The step's end.
    pub(crate) fn done(self, passed: bool) -> Duration {
        let took = self.started.elapsed();
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let (mark, look) = match passed {
            true => ("ok", Style::new().green()),
            false => ("FAILED", Style::new().red().bold()),
        };
        println!("{} {} ({:.1} s)", look.apply_to(mark), self.name, took.as_secs_f64());
        took
    }
}
