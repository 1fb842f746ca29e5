//! The fields of the envelope: what stays, what goes, and what they weigh.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::compose::write::{NOT_CACHED, copy, field_head, field_value, shell_bytes};
use crate::compose::{AUDIENCE, Form, Job, Told};
use crate::envelope::{Field, Role, depth_of, is_protected_meta, key_is, size};
use crate::json::pointer::Pointer;
use crate::json::walk::{Member, Sort};
use crate::order::{sort, sorted};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind, Repair};
use crate::report::{REPORT_KEY, Rung};

impl<'d> Job<'d> {
    /// Bytes that stand in any case: braces, keys, fields that are not
    /// planned, and the shells of notice and report.
    pub(super) fn fixed(
        &self,
        fields: &[Field<'_>],
        meta: Option<&str>,
        rung: Rung,
        report_room: usize,
    ) -> usize {
        let mut fixed = 2;
        let mut has_content = false;
        for field in fields {
            fixed += field_head(self, field) + self.comma().len();
            fixed += match field.role {
                Role::Content => {
                    has_content = true;
                    2
                }
                Role::Structured => 0,
                Role::Meta => 2 + meta.map_or(0, str::len),
                Role::IsError if self.form == Form::Error => 5,
                Role::IsError
                | Role::ResultType
                | Role::Description
                | Role::Ttl
                | Role::CacheScope
                | Role::Kept
                | Role::Foreign
                | Role::NullCursor
                | Role::Superseded => field_value(self, field),
            };
        }
        if !has_content {
            fixed += self.width("\"content\":[],");
        }
        if self.form == Form::Error {
            fixed += self.width("\"isError\":true,");
        }
        if self.told != Told::Member {
            fixed += shell_bytes(self, None);
            if rung >= Rung::Full {
                fixed += self.width(AUDIENCE);
            }
        }
        if self.is_shared_cache() {
            fixed += self.width(NOT_CACHED);
        }
        if rung > Rung::Bare {
            fixed += self.width(&format!(",\"{REPORT_KEY}\":")) + report_room;
            if meta.is_none() {
                fixed += self.width(",\"_meta\":{}");
            }
        }
        fixed
    }

    /// The fields that stay; those that go are told.
    pub(super) fn fields(&self, account: &mut Account) -> Vec<Field<'d>> {
        let mut stay = Vec::new();
        let (mut gone, mut foreign, mut weight) = (Vec::new(), 0, 0);
        let doc = self.doc;
        let crowded = self.crowded_kept();
        for field in &self.envelope.fields {
            let role =
                if crowded.contains(&field.value.start) { Role::Foreign } else { field.role };
            match role {
                Role::Structured if self.form != Form::Whole => account.cut(Cut {
                    path: pointer_to(&[field.key]),
                    within: None,
                    kind: CutKind::Structured,
                    kept: 0,
                    of: field_value(self, field),
                    gone: Vec::new(),
                    weight: 0,
                }),
                Role::Content
                | Role::Structured
                | Role::IsError
                | Role::Meta
                | Role::ResultType
                | Role::Description
                | Role::Ttl
                | Role::CacheScope
                | Role::Kept => stay.push(*field),
                Role::Foreign => {
                    foreign += 1;
                    weight += field_value(self, field);
                    if gone.len() < 32 {
                        gone.push(pointer_to(&[field.key]));
                    }
                    let cursor = doc.body(&field.value);
                    if key_is(field.key, "nextCursor")
                        && doc.sort(&field.value) == Sort::String
                        && cursor.len() <= 512
                    {
                        account.next_cursor = Some(String::from(cursor));
                    }
                }
                Role::NullCursor => repair(account, "null-next-cursor", pointer_to(&[field.key])),
                Role::Superseded => repair(account, "repeated-key", pointer_to(&[field.key])),
            }
        }
        for (at, block) in self.envelope.blocks.iter().enumerate() {
            if block.repeats {
                repair(account, "repeated-key", self.place(at, ""));
            }
        }
        if foreign > 0 {
            account.fire(BudgetKind::TopLevelFields);
            let path = gone.first().cloned().unwrap_or_default();
            account.cut(Cut {
                path,
                within: None,
                kind: CutKind::TopLevelFields,
                kept: stay.len(),
                of: stay.len() + foreign,
                gone,
                weight,
            });
        }
        stay
    }

    /// Fields that the policy keeps, but for which there is no room: the
    /// largest go until the rest takes an eighth of the whole. By their start.
    fn crowded_kept(&self) -> Vec<usize> {
        let mut gone = Vec::new();
        if size(&self.envelope.root, self.spaced) <= self.limit {
            return gone;
        }
        let kept: Vec<&Field<'d>> =
            self.envelope.fields.iter().filter(|field| field.role == Role::Kept).collect();
        let bytes: Vec<usize> = kept.iter().map(|field| field_value(self, field)).collect();
        let mut sum: usize = bytes.iter().sum();
        for at in sorted(kept.len(), &|a, b| bytes[b].cmp(&bytes[a])) {
            let field = kept[at];
            if sum <= self.limit / 8 {
                break;
            }
            sum -= field_value(self, field);
            gone.push(field.value.start);
        }
        gone
    }

    /// The members of `_meta` that stay, printed without braces, beside an
    /// account of `account_bytes`. The first `None` where what must stay leaves
    /// no room.
    #[allow(clippy::option_option, reason = "no room, or no `_meta`, or its members")]
    pub(super) fn meta(
        &self,
        account: &mut Account,
        account_bytes: usize,
    ) -> Option<Option<String>> {
        let Some(meta) = self.envelope.meta else { return Some(None) };
        let limits = &self.settings.limits;
        let deep = self.doc.index.depth > limits.max_depth;
        let members: Vec<Member<'d>> = self.doc.members(&meta).collect();
        let bytes = |member: &Member<'_>| {
            member.key.len() + 4 + self.comma().len() + size(&member.value, self.spaced)
        };
        let mut gone: Vec<usize> = Vec::new();
        for (at, member) in members.iter().enumerate() {
            let ours = key_is(member.key, REPORT_KEY);
            let too_deep =
                deep && depth_of(self.doc, &member.value) + 2 > limits.max_depth as usize;
            if ours {
                repair(account, "earlier-report", pointer_to(&["_meta", member.key]));
                gone.push(at);
            } else if too_deep {
                if is_protected_meta(member.key) {
                    return None;
                }
                account.fire(BudgetKind::Depth);
                gone.push(at);
            }
        }
        let dropped_ours = gone.iter().filter(|at| key_is(members[**at].key, REPORT_KEY)).count();
        if size(&self.envelope.root, self.spaced) + account_bytes > self.limit {
            let mut free: Vec<usize> = (0..members.len())
                .filter(|at| {
                    gone.binary_search(at).is_err() && !is_protected_meta(members[*at].key)
                })
                .collect();
            let mut sum: usize = free.iter().map(|at| bytes(&members[*at])).sum();
            sort(&mut free, &|a, b| bytes(&members[b]).cmp(&bytes(&members[a])));
            for at in free {
                if sum <= self.limit / 8 {
                    break;
                }
                sum -= bytes(&members[at]);
                gone.push(at);
            }
        }
        sort(&mut gone, &|a, b| a.cmp(&b));
        let mut out = String::new();
        let (mut paths, mut weight) = (Vec::new(), 0);
        for (at, member) in members.iter().enumerate() {
            if gone.binary_search(&at).is_ok() {
                if !key_is(member.key, REPORT_KEY) {
                    weight += bytes(member);
                    if paths.len() < 32 {
                        paths.push(pointer_to(&["_meta", member.key]));
                    }
                }
                continue;
            }
            if !out.is_empty() {
                out.push_str(self.comma());
            }
            copy(self, member.key_start, member.value.end, &mut out);
        }
        let lost = gone.len() - dropped_ours;
        if lost > 0 {
            account.cut(Cut {
                path: String::from("/_meta"),
                within: None,
                kind: CutKind::MetaKeys,
                kept: members.len() - gone.len(),
                of: members.len() - dropped_ours,
                gone: paths,
                weight,
            });
        }
        Some(Some(out))
    }
}

fn pointer_to(keys: &[&str]) -> String {
    let mut pointer = Pointer::new();
    for key in keys {
        pointer.push_key(key);
    }
    pointer.render()
}

fn repair(account: &mut Account, kind: &'static str, path: String) {
    let known = account.repairs.iter_mut().find(|known| known.kind == kind && known.path == path);
    if let Some(known) = known {
        known.count += 1;
    } else if account.repairs.len() < 64 {
        account.repairs.push(Repair { kind, path, count: 1 });
    }
}
