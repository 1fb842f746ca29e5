//! Every schema at every place, grown and cut.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use result_budget_support::random::Random;
use serde_json::Value;

use crate::brute::room_beside;
use crate::case::{Fit, Made, Told, result, run, settings};
use crate::greedy::small_cut;
use crate::grow::Grower;
use crate::place::Place;
use crate::schema::keywords;
use crate::source::Source;
use crate::tally::{self, Tally};

/// How much is tried of each schema.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Instances of each schema at each place.
    pub instances: u64,
    /// Settings for each instance.
    pub settings: usize,
    /// The first seed.
    pub base: u64,
}

/// One output that other validators look at, too.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name of the schema.
    pub name: String,
    /// The schema.
    pub schema: String,
    /// `structuredContent` before.
    pub before: String,
    /// `structuredContent` after.
    pub after: String,
}

/// Room for an instance, in bytes: smaller ones more often.
const ROOMS: [usize; 6] = [600, 1_200, 2_500, 2_500, 6_000, 20_000];

/// Attempts at one valid instance.
const TRIES: u64 = 8;

/// Of the errors, those that are looked into.
const SOUGHT_ONCE_IN: usize = 1;

/// Records kept of one schema.
const RECORDS: usize = 1;

/// Runs everything on every processor.
#[must_use]
pub fn sweep(fit: Fit, sources: &[Source], effort: Effort) -> (Tally, Vec<Record>) {
    let jobs: Vec<(&Source, Place)> =
        sources.iter().flat_map(|source| Place::ALL.map(|place| (source, place))).collect();
    let next = AtomicUsize::new(0);
    let (mut whole, mut records) = (Tally::default(), Vec::new());
    thread::scope(|scope| {
        let work = || {
            let (mut tally, mut records) = (Tally::default(), Vec::new());
            while let Some((source, place)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                one(fit, source, *place, effort, &mut tally, &mut records);
            }
            (tally, records)
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in running {
            match thread.join() {
                Ok((tally, more)) => {
                    whole.join(tally);
                    records.extend(more);
                }
                Err(_) => {
                    whole.faults.insert("the engine or its judge panicked", (1, Vec::new()));
                }
            }
        }
    });
    records.sort_by(|a: &Record, b| (&a.name, &a.after).cmp(&(&b.name, &b.after)));
    (whole, records)
}

/// All cases of one schema at one place.
fn one(
    fit: Fit,
    source: &Source,
    place: Place,
    effort: Effort,
    tally: &mut Tally,
    records: &mut Vec<Record>,
) {
    let Some(schema) = place.schema(source) else { return };
    let (plain, prepared) = match (Told::new(&schema, false), Told::new(&schema, true)) {
        (Ok(plain), Ok(prepared)) => (plain, prepared),
        _ => {
            *tally.skipped.entry("refers to what is not in it, or is no schema").or_default() += 1;
            return;
        }
    };
    tally.schemas += 1;
    let keywords = keywords(&schema);
    let name = place.name(source);
    let mut kept = 0;
    let before = tally.cases;
    for turn in 0..effort.instances {
        let seed = effort.base + turn * 1_000;
        let mut random = Random::new(seed);
        let room = *random.pick(&ROOMS);
        // The suite's own instances take turns with grown ones.
        let given = (turn % 4 == 3)
            .then(|| place.instance(&source.instances, random.below(64), room))
            .flatten()
            .filter(|instance| plain.oracle.is_valid(instance));
        let grown = || {
            (0..TRIES).find_map(|attempt| {
                Grower::new(&schema, seed + attempt, room)
                    .grow()
                    .filter(|instance| plain.oracle.is_valid(instance))
            })
        };
        let Some(instance) = given.or_else(grown) else {
            tally.thrown_away += 1;
            continue;
        };
        let told = if turn % 2 == 0 { &prepared } else { &plain };
        let json = result(&mut random, &instance);
        for _ in 0..effort.settings {
            let (settings, settings_name) = settings(&mut random, json.len());
            // Nothing but a limit on the shape could be over.
            let law = settings.limits.max_result_bytes as usize;
            if law >= json.len() && !settings_name.contains("max_") {
                continue;
            }
            let (made, faults) = run(fit, told, &json, &settings);
            let place = tally::Place {
                source: &name,
                schema: &told.text,
                keywords: &keywords,
                result: &json,
                settings: &settings_name,
                shaped: settings_name.contains("max_"),
            };
            if let Made::Cut(after) = &made
                && kept < RECORDS
                && json.len() < 8_000
            {
                kept += 1;
                records.push(Record {
                    name: name.clone(),
                    schema: told.text.clone(),
                    before: instance.to_string(),
                    after: after.clone(),
                });
            }
            // A limit on the shape, or another way to print, has its own room.
            let plain = !settings_name.contains(',');
            let fits =
                (made == Made::Error && plain && random.once_in(SOUGHT_ONCE_IN)).then(|| {
                    let cut = small_cut(told, &instance).to_string();
                    (cut.len() + room_beside() <= law).then_some(cut)
                });
            tally.add(place, &made, fits, faults);
        }
    }
    if tally.cases == before {
        *tally.skipped.entry("no valid instance that is large enough").or_default() += 1;
    }
}

/// The first values that a schema admits, for a person to look at.
#[must_use]
pub fn samples(schema: &Value, count: u64, room: usize) -> Vec<Value> {
    (0..count).filter_map(|seed| Grower::new(schema, seed, room).grow()).collect()
}
