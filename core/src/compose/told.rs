//! How a model is told of a cut. Most clients show it one half of a result
//! alone, `content` or `structuredContent`; some show the data only where there
//! is no content. A notice must hide from nobody what it speaks of.

use crate::call::ResultKind;
use crate::compose::{Form, Job};
use crate::json::walk::Value;
use crate::mirror::{Found, Style};
use crate::settings::Mirror;

/// How a model is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// By our member in the data alone: the result had no text, and gets none
    /// that stands before the data.
    Member,
    /// By a notice, and by a text that repeats the data, as results should have
    /// one: the result had no content, and a notice alone would hide the data
    /// from who looks there first.
    Copy,
    /// By a notice.
    Notice,
}

impl Told {
    /// All of them, the first that fits to be taken.
    pub(crate) const ALL: [Told; 3] = [Told::Member, Told::Copy, Told::Notice];
}

impl Job<'_> {
    /// Whether a model may be told in this way.
    pub(crate) fn may_tell(&self, told: Told) -> bool {
        let envelope = self.envelope;
        let Some(value) = envelope.structured.filter(|_| self.form == Form::Whole) else {
            return told == Told::Notice;
        };
        match told {
            Told::Member => {
                envelope.kind == ResultKind::Tool
                    && envelope.blocks.iter().chain(&envelope.last_block).all(|b| b.is_binary())
                    && self.lead(&value) > 0
            }
            // A copy takes half of the room: the ladder has it where there is much.
            Told::Copy => {
                envelope.kind == ResultKind::Tool
                    && envelope.block_count == 0
                    && self.settings.mirror == Mirror::Both
                    && self.advises()
            }
            Told::Notice => true,
        }
    }
}

impl Found {
    /// A copy of ours, in a block that was not there.
    pub(crate) fn added(target: Value) -> Self {
        Found {
            target,
            style: Style::Json,
            block: 0,
            plain_items: false,
            json_items: false,
            flattened: false,
        }
    }
}
