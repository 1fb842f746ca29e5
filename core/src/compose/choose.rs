//! Which blocks of `content` stay.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::call::ResultKind;
use crate::compose::Job;
use crate::compose::hints::{Tier, name, uri};
use crate::compose::parts::{Part, PartKind};
use crate::compose::write::{mime, shell_bytes};
use crate::envelope::{BlockKind, size};
use crate::limit::or_off;
use crate::order::sort;
use crate::plan::account::{Account, BudgetKind, Cut, CutKind};
use crate::report::LEFT_OUT;

/// Chooses which base64 stays: the small first, so that one huge picture never
/// starves the others. What goes is replaced by a note. `copied` bytes of
/// structured data are written as references.
pub(crate) fn binaries(
    job: &Job<'_>,
    parts: &mut [Part],
    room: usize,
    copied: usize,
    account: &mut Account,
) {
    let limits = &job.settings.limits;
    let texts: usize = parts
        .iter()
        .filter(|part| matches!(part.kind, PartKind::Text | PartKind::Whole | PartKind::Structured))
        .map(|part| part.whole + part.shell)
        .sum::<usize>()
        + job
            .envelope
            .structured
            .map_or(0, |value| size(&value, job.spaced))
            .saturating_sub(copied);
    let mut room = room - texts.min(job.text_limit).min(room / 2).min(room);
    let mut left = limits.max_binary_bytes as usize;
    let most = or_off(limits.max_block_binary_bytes);
    let mut order: Vec<usize> =
        (0..parts.len()).filter(|at| parts[*at].kind == PartKind::Binary).collect();
    sort(&mut order, &|a, b| parts[a].whole.cmp(&parts[b].whole));
    for at in order {
        let part = &mut parts[at];
        if !part.stays {
            continue;
        }
        if part.whole <= left.min(most) && part.whole + part.shell <= room {
            left -= part.whole;
            room -= part.whole + part.shell;
            part.kept = part.whole;
            continue;
        }
        let kind = if part.whole > most {
            BudgetKind::BlockBinaryBytes
        } else if part.whole > left {
            BudgetKind::BinaryBytes
        } else {
            BudgetKind::ResultBytes
        };
        account.fire(kind);
        let mime = part.block.as_ref().map_or(String::new(), |block| mime(job.doc, block));
        let uri = part.block.as_ref().map_or(String::new(), |block| uri(job.doc, block));
        let of =
            if uri.is_empty() || job.limit < 1_024 { String::new() } else { format!("{uri}, ") };
        let mut note = format!("[{of}{mime}: 0 of {} base64 bytes shown]", part.whole);
        if limits.max_block_text_bytes.is_some_and(|most| note.len() > most as usize) {
            note = format!("[0 of {} base64 bytes shown]", part.whole);
        }
        let steps = part.block.as_ref().map_or("", |block| block.steps);
        account.cut(Cut {
            path: job.place(part.at, steps),
            within: None,
            kind: CutKind::Binary,
            kept: 0,
            of: part.whole,
            gone: Vec::new(),
            weight: part.whole,
        });
        part.kind = PartKind::Note;
        part.whole = note.len();
        part.shell = shell_bytes(job, part.block.as_ref());
        part.body = Some(note);
    }
}

/// Chooses which blocks stay: as many from the start as get a decent share,
/// and a small last one, which often says how to go on. Tells the bytes of
/// their shells.
pub(crate) fn blocks(
    job: &Job<'_>,
    parts: &mut [Part],
    (room, text_room, places): (usize, usize, usize),
    account: &mut Account,
) -> usize {
    let limits = &job.settings.limits;
    let decent = (room.min(text_room) / 16).clamp(32, 512);
    let cost = |part: &Part| -> (usize, usize) {
        match part.kind {
            // Base64 that stays, and its shell, are paid for already.
            PartKind::Binary => (0, 0),
            PartKind::Mirror => (part.shell, 0),
            PartKind::Text | PartKind::Structured => {
                let text = part.whole.min(decent);
                (part.shell + text, text)
            }
            PartKind::Whole | PartKind::Note => (part.shell + part.whole, part.whole),
        }
    };
    let (mut room, mut text_room) = (room, text_room);
    let mut shells = 0;
    let all = job.envelope.block_count;
    let most = limits.max_content_blocks as usize;
    let blocks_fired = all > most;
    let mut places = if blocks_fired { most - 1 } else { places };
    let mut take = |part: &mut Part, places: &mut usize| -> bool {
        let (bytes, text) = cost(part);
        let fits = bytes <= room && text <= text_room && *places > 0;
        if fits {
            room -= bytes;
            text_room -= text;
            *places -= 1;
            if part.kind != PartKind::Binary {
                shells += part.shell;
            }
        }
        fits
    };
    for part in parts.iter_mut().filter(|part| part.kind == PartKind::Mirror) {
        if !take(part, &mut places) {
            part.stays = false;
        }
    }
    let count = parts.len();
    let mut last_taken = None;
    if count > 2 {
        let last = count - 1;
        let part = &mut parts[last];
        // The last message of a prompt is what the model is asked.
        let speaks = part.whole <= 512 || job.envelope.kind == ResultKind::Prompt;
        if part.kind == PartKind::Text && speaks && part.stays && take(part, &mut places) {
            last_taken = Some(last);
        }
    }
    let mut full = false;
    let mut order: Vec<usize> = Vec::with_capacity(parts.len());
    for tier in Tier::ALL {
        order.extend((0..parts.len()).filter(|at| parts[*at].tier == tier));
    }
    for at in order {
        let part = &mut parts[at];
        if part.kind == PartKind::Mirror || Some(at) == last_taken || !part.stays {
            continue;
        }
        if full && part.kind != PartKind::Binary {
            part.stays = false;
            continue;
        }
        if take(part, &mut places) {
            continue;
        }
        part.stays = false;
        // What can not be cut and fits nowhere does not end the row.
        let (bytes, text) = cost(part);
        let hopeless = matches!(part.kind, PartKind::Whole | PartKind::Note)
            && (bytes > job.limit || text > job.text_limit);
        if !hopeless {
            full = true;
        }
    }
    let kept = parts.iter().filter(|part| part.stays && part.block.is_some()).count();
    let parts_field = job.envelope.kind.parts_field();
    if kept < all {
        if blocks_fired {
            account.fire(BudgetKind::ContentBlocks);
        }
        let gone = parts
            .iter()
            .filter(|part| !part.stays && part.block.is_some())
            .take(32)
            .map(|part| format!("/{parts_field}/{}", part.at))
            .collect();
        let weight =
            parts.iter().filter(|part| !part.stays).map(|part| part.whole + part.shell).sum();
        account.cut(Cut {
            path: format!("/{parts_field}"),
            within: None,
            kind: CutKind::ContentBlocks,
            kept,
            of: all,
            gone,
            weight,
        });
    }
    shells
}

/// Whether a block is called by its name where it goes.
fn is_named(part: &Part) -> bool {
    part.kind != PartKind::Note
        && part
            .block
            .is_some_and(|block| matches!(block.kind, BlockKind::Whole | BlockKind::ResourceText))
}

/// Room in the notice for the names of blocks that go; none where all fit.
pub(crate) fn names_bytes(job: &Job<'_>, parts: &[Part]) -> usize {
    let (room, all) = (job.limit.min(job.text_limit), job.envelope.block_count);
    let decent = (room / 16).clamp(32, 512);
    let least = |part: &Part| {
        part.shell + if part.kind == PartKind::Text { part.whole.min(decent) } else { part.whole }
    };
    let crowded = all > job.settings.limits.max_content_blocks as usize
        || parts.iter().any(|part| !part.stays)
        || parts.iter().filter(|part| part.kind != PartKind::Binary).map(least).sum::<usize>()
            > room / 4 * 3;
    if !crowded {
        return 0;
    }
    let most = (room / 16).min(256);
    let named = parts.iter().filter(|part| is_named(part)).take(8);
    let names = named.map(|part| part.block.map_or(0, |block| name(job.doc, &block).len() + 2));
    match names.sum::<usize>() {
        0 => 0,
        names => (names + LEFT_OUT.len() + 2).min(most),
    }
}

/// The names of the first blocks that went.
pub(crate) fn names(job: &Job<'_>, parts: &[Part]) -> Vec<String> {
    let gone = parts.iter().filter(|part| !part.stays && is_named(part)).take(8);
    gone.filter_map(|part| Some(name(job.doc, &part.block?))).collect()
}
