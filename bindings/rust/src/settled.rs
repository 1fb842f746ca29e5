//! What was settled for earlier calls: a small table, bounded in entries and
//! in bytes, since part of its key comes from clients.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use crate::guest::Settled;

/// What a host tells of a call: tool, revision, client's name, and the client's
/// budgets in bytes and tokens.
pub(crate) type Key<'a> = [Option<&'a str>; 5];

/// The table. Oldest entries go first; reading changes nothing, so readers do
/// not wait for one another.
#[derive(Default)]
pub(crate) struct SettledCalls {
    entries: RwLock<Entries>,
}

#[derive(Default)]
struct Entries {
    rows: Vec<Row>,
    /// Where the next row goes once the table is full.
    next: usize,
}

struct Row {
    hash: u64,
    key: [Option<String>; 5],
    settled: Arc<Settled>,
}

impl SettledCalls {
    /// What is kept for `key`, else what `settle` says, which is then kept. A
    /// refusal is not kept.
    pub(crate) fn get_or_settle<E>(
        &self,
        key: Key<'_>,
        settle: impl FnOnce() -> Result<Settled, E>,
    ) -> Result<Arc<Settled>, E> {
        let hash = hash_of(key);
        if let Some(settled) = self.read(hash, key) {
            return Ok(settled);
        }
        let settled = Arc::new(settle()?);
        if key_bytes(key) <= KEY_MAX_BYTES {
            self.keep(hash, key, &settled);
        }
        Ok(settled)
    }

    fn read(&self, hash: u64, key: Key<'_>) -> Option<Arc<Settled>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.find(hash, key).map(|row| Arc::clone(&row.settled))
    }

    fn keep(&self, hash: u64, key: Key<'_>, settled: &Arc<Settled>) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if entries.find(hash, key).is_some() {
            return;
        }
        let row =
            Row { hash, key: key.map(|part| part.map(String::from)), settled: Arc::clone(settled) };
        let next = entries.next;
        entries.next = (next + 1) % ROWS_MAX_ITEMS;
        match entries.rows.get_mut(next) {
            Some(oldest) => *oldest = row,
            None => entries.rows.push(row),
        }
    }
}

impl Entries {
    fn find(&self, hash: u64, key: Key<'_>) -> Option<&Row> {
        self.rows.iter().find(|row| row.hash == hash && row.key() == key)
    }
}

impl Row {
    fn key(&self) -> Key<'_> {
        self.key.each_ref().map(Option::as_deref)
    }
}

fn hash_of(key: Key<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

fn key_bytes(key: Key<'_>) -> usize {
    key.into_iter().flatten().map(str::len).sum()
}

/// Rows kept: more tools than one server has.
const ROWS_MAX_ITEMS: usize = 128;

/// A longer key is settled anew each time.
const KEY_MAX_BYTES: usize = 512;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_bounded_and_the_oldest_row_goes_first() {
        let table = SettledCalls::default();
        let settled = sample();
        for call in 0..10 * ROWS_MAX_ITEMS {
            let budget = call.to_string();
            let key = [None, None, None, Some(budget.as_str()), None];
            table.get_or_settle(key, || Ok::<_, ()>(settled.clone())).unwrap();
        }
        assert_eq!(table.entries.read().unwrap().rows.len(), ROWS_MAX_ITEMS);
        let newest = (10 * ROWS_MAX_ITEMS - 1).to_string();
        let key = |budget| [None, None, None, Some(budget), None];
        assert!(table.get_or_settle(key(newest.as_str()), || Err(())).is_ok());
        assert!(table.get_or_settle(key("0"), || Err(())).is_err());
    }

    #[test]
    fn keys_that_differ_in_one_part_are_kept_apart() {
        let table = SettledCalls::default();
        let only = |at: usize| {
            let mut key = [None; 5];
            *key.get_mut(at).unwrap() = Some("a");
            key
        };
        table.get_or_settle(only(0), || Ok::<_, ()>(sample())).unwrap();
        assert!(table.get_or_settle(only(0), || Err(())).is_ok());
        for at in 1..5 {
            assert!(table.get_or_settle(only(at), || Err(())).is_err(), "{at}");
        }
        let both = [Some("a"), Some("b"), None, None, None];
        assert!(table.get_or_settle(both, || Err(())).is_err());
    }

    #[test]
    fn a_long_key_is_not_kept() {
        let table = SettledCalls::default();
        let client = "c".repeat(KEY_MAX_BYTES + 1);
        let key = [None, None, Some(client.as_str()), None, None];
        table.get_or_settle(key, || Ok::<_, ()>(sample())).unwrap();
        assert!(table.entries.read().unwrap().rows.is_empty());
    }

    fn sample() -> Settled {
        let engine = crate::Engine::shared().unwrap();
        engine
            .run(|instance| instance.settle("", crate::guest::Request::default()))
            .unwrap()
            .unwrap()
    }
}
