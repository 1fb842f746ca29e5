//! What was settled for earlier calls: a small table, bounded in entries and
//! in bytes, since part of its key comes from clients.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use crate::guest::Settings;

/// Tool, revision and the client's budget.
pub(crate) type Key<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

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
    key: (Option<String>, Option<String>, Option<String>),
    settings: Arc<Settings>,
}

impl SettledCalls {
    /// What is kept for `key`, else what `settle` says, which is then kept. A
    /// refusal is not kept.
    pub(crate) fn get_or_settle<E>(
        &self,
        key: Key<'_>,
        settle: impl FnOnce() -> Result<Settings, E>,
    ) -> Result<Arc<Settings>, E> {
        let hash = hash_of(key);
        if let Some(settings) = self.read(hash, key) {
            return Ok(settings);
        }
        let settings = Arc::new(settle()?);
        if key_bytes(key) <= KEY_MAX_BYTES {
            self.keep(hash, key, &settings);
        }
        Ok(settings)
    }

    fn read(&self, hash: u64, key: Key<'_>) -> Option<Arc<Settings>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.find(hash, key).map(|row| Arc::clone(&row.settings))
    }

    fn keep(&self, hash: u64, key: Key<'_>, settings: &Arc<Settings>) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if entries.find(hash, key).is_some() {
            return;
        }
        let (tool, revision, call_max_bytes) = key;
        let row = Row {
            hash,
            key: (
                tool.map(String::from),
                revision.map(String::from),
                call_max_bytes.map(String::from),
            ),
            settings: Arc::clone(settings),
        };
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
        (self.key.0.as_deref(), self.key.1.as_deref(), self.key.2.as_deref())
    }
}

fn hash_of(key: Key<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

fn key_bytes(key: Key<'_>) -> usize {
    [key.0, key.1, key.2].into_iter().flatten().map(str::len).sum()
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
        let settings = sample();
        for call in 0..10 * ROWS_MAX_ITEMS {
            let budget = call.to_string();
            table
                .get_or_settle((None, None, Some(&budget)), || Ok::<_, ()>(settings.clone()))
                .unwrap();
        }
        assert_eq!(table.entries.read().unwrap().rows.len(), ROWS_MAX_ITEMS);
        let newest = (10 * ROWS_MAX_ITEMS - 1).to_string();
        assert!(table.get_or_settle((None, None, Some(&newest)), || Err(())).is_ok());
        assert!(table.get_or_settle((None, None, Some("0")), || Err(())).is_err());
    }

    #[test]
    fn keys_that_differ_in_one_part_are_kept_apart() {
        let table = SettledCalls::default();
        table.get_or_settle((Some("a"), None, None), || Ok::<_, ()>(sample())).unwrap();
        assert!(table.get_or_settle((Some("a"), None, None), || Err(())).is_ok());
        assert!(table.get_or_settle((None, Some("a"), None), || Err(())).is_err());
        assert!(table.get_or_settle((None, None, Some("a")), || Err(())).is_err());
        assert!(table.get_or_settle((Some("a"), Some("b"), None), || Err(())).is_err());
    }

    #[test]
    fn a_long_key_is_not_kept() {
        let table = SettledCalls::default();
        let tool = "t".repeat(KEY_MAX_BYTES + 1);
        table.get_or_settle((Some(&tool), None, None), || Ok::<_, ()>(sample())).unwrap();
        assert!(table.entries.read().unwrap().rows.is_empty());
    }

    fn sample() -> Settings {
        let engine = crate::Engine::shared().unwrap();
        engine
            .run(|instance| instance.settle("", crate::guest::Request::default()))
            .unwrap()
            .unwrap()
    }
}
