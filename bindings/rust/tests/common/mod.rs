//! A component that breaks on demand, written by hand.
//!
//! What `fit` does stands in the input, at the seventh byte: `{"do":"trap"}`
//! traps. See [`HOSTILE`].

use std::path::Path;
use std::time::Duration;

use result_budget::{Engine, EngineBuilder};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The whole-result limit that the hostile component settles.
pub(crate) const HOSTILE_LIMIT_BYTES: u32 = 4_096;

/// The core module. Offsets are those of the canonical ABI for `wit/`.
pub(crate) const HOSTILE: &str = r#"
(module
  (memory (export "memory") 4)
  (global $heap (mut i32) (i32.const 65536))
  (global $fits (mut i32) (i32.const 0))
  (global $settles (mut i32) (i32.const 0))

  ;; settle's answer: ok, limits (max-result-bytes first), revision 2026-07-28
  (data (i32.const 1024) "\00\00\00\00\00\10\00\00")
  (data (i32.const 1128) "\04")
  ;; fit's answers: unchanged; malformed-json at byte 5
  (data (i32.const 2048) "\00\00\00\00\00\00\00\00")
  (data (i32.const 2064) "\01\00\00\00\02\00\00\00\05\00\00\00")
  ;; texts
  (data (i32.const 3000) "{\"failed\":1}")
  (data (i32.const 3100) "{\"n\":000}")
  (data (i32.const 3200) "nope")
  (data (i32.const 3300) "{\"\ff\":1}")
  ;; 8192: an object's first byte, then NULs to any length
  (data (i32.const 8192) "{")

  (func $grow_to (param $end i32)
    (block $done
      (loop $more
        (br_if $done (i32.le_u (local.get $end) (i32.shl (memory.size) (i32.const 16))))
        (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))
        unreachable)))

  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 15)) (i32.const -16)))
    (global.set $heap (i32.add (local.get $at) (local.get 3)))
    (call $grow_to (global.get $heap))
    (local.get $at))

  (func $reset (param i32) (global.set $heap (i32.const 65536)))
  (export "cabi_post_result-budget:engine/fitting@0.1.0#fit" (func $reset))
  (export "cabi_post_result-budget:engine/fitting@0.1.0#measure" (func $reset))
  (export "cabi_post_result-budget:engine/fitting@0.1.0#failure-result" (func $reset))
  (export "cabi_post_result-budget:engine/settling@0.1.0#settle" (func $reset))

  ;; an answer `compacted(ptr, len)` at 4000
  (func $compacted (param $ptr i32) (param $len i32) (result i32)
    (i64.store (i32.const 4000) (i64.const 0x100000000))
    (i32.store (i32.const 4008) (local.get $ptr))
    (i32.store (i32.const 4012) (local.get $len))
    (i32.const 4000))

  ;; {"n":NNN}
  (func $number (param $n i32) (result i32)
    (i32.store8 (i32.const 3105) (i32.add (i32.const 48) (i32.rem_u (i32.div_u (local.get $n) (i32.const 100)) (i32.const 10))))
    (i32.store8 (i32.const 3106) (i32.add (i32.const 48) (i32.rem_u (i32.div_u (local.get $n) (i32.const 10)) (i32.const 10))))
    (i32.store8 (i32.const 3107) (i32.add (i32.const 48) (i32.rem_u (local.get $n) (i32.const 10))))
    (call $compacted (i32.const 3100) (i32.const 9)))

  (func $recurse (param i32) (result i32)
    (i32.add (call $recurse (i32.add (local.get 0) (i32.const 1))) (local.get 0)))

  (func (export "result-budget:engine/fitting@0.1.0#fit") (param $args i32) (result i32)
    (local $do i32)
    (global.set $fits (i32.add (global.get $fits) (i32.const 1)))
    (if (i32.ge_u (i32.load offset=4 (local.get $args)) (i32.const 8))
      (then (local.set $do (i32.load8_u offset=7 (i32.load (local.get $args))))))
    ;; t: trap
    (if (i32.eq (local.get $do) (i32.const 116)) (then unreachable))
    ;; l: loop
    (if (i32.eq (local.get $do) (i32.const 108)) (then (loop $l (br $l))))
    ;; r: recurse without end
    (if (i32.eq (local.get $do) (i32.const 114)) (then (drop (call $recurse (i32.const 0)))))
    ;; m: take all memory there is
    (if (i32.eq (local.get $do) (i32.const 109)) (then (call $grow_to (i32.const -65536))))
    ;; b: big, 80 MiB, and then fine
    (if (i32.eq (local.get $do) (i32.const 98)) (then (call $grow_to (i32.const 83886080))))
    ;; o: one byte over budget
    (if (i32.eq (local.get $do) (i32.const 111))
      (then (return (call $compacted (i32.const 8192)
        (i32.add (i32.load offset=36 (local.get $args)) (i32.const 1))))))
    ;; x: exactly the budget
    (if (i32.eq (local.get $do) (i32.const 120))
      (then (return (call $compacted (i32.const 8192) (i32.load offset=36 (local.get $args))))))
    ;; n: no JSON
    (if (i32.eq (local.get $do) (i32.const 110)) (then (return (call $compacted (i32.const 3200) (i32.const 4)))))
    ;; z: nothing at all
    (if (i32.eq (local.get $do) (i32.const 122)) (then (return (call $compacted (i32.const 3200) (i32.const 0)))))
    ;; u: no UTF-8
    (if (i32.eq (local.get $do) (i32.const 117)) (then (return (call $compacted (i32.const 3300) (i32.const 7)))))
    ;; p: a pointer past the end
    (if (i32.eq (local.get $do) (i32.const 112)) (then (return (call $compacted (i32.const -64) (i32.const 32)))))
    ;; e: the engine says no
    (if (i32.eq (local.get $do) (i32.const 101)) (then (return (i32.const 2064))))
    ;; f: how often this instance has fitted
    (if (i32.eq (local.get $do) (i32.const 102)) (then (return (call $number (global.get $fits)))))
    ;; s: how often this instance has settled
    (if (i32.eq (local.get $do) (i32.const 115)) (then (return (call $number (global.get $settles)))))
    (i32.const 2048))

  (func (export "result-budget:engine/fitting@0.1.0#measure") (param i32) (result i32) unreachable)

  (func (export "result-budget:engine/fitting@0.1.0#failure-result") (param $args i32) (result i32)
    (i32.store (i32.const 4000) (i32.const 3000))
    (i32.store (i32.const 4004) (i32.const 12))
    ;; not-utf8: an error result that is too long
    (if (i32.eq (i32.load8_u (local.get $args)) (i32.const 1))
      (then
        (i32.store (i32.const 4000) (i32.const 8192))
        (i32.store (i32.const 4004) (i32.const 257))))
    (i32.const 4000))

  (func (export "result-budget:engine/settling@0.1.0#settle") (param $args i32) (result i32)
    (global.set $settles (i32.add (global.get $settles) (i32.const 1)))
    ;; a policy that starts with `t` traps
    (if (i32.load offset=4 (local.get $args))
      (then (if (i32.eq (i32.load8_u (i32.load (local.get $args))) (i32.const 116)) (then unreachable))))
    (i32.const 1024))

  (func (export "result-budget:engine/listing@0.1.0#measure-tools") (param i32) (result i32) unreachable)
  (func (export "result-budget:engine/listing@0.1.0#prepare-tools") (param i32) (result i32) unreachable)
  (func (export "result-budget:engine/settling@0.1.0#limit-rows") (result i32) (i32.const 2048))
  (func (export "result-budget:engine/settling@0.1.0#preset-rows") (result i32) (i32.const 2048))
)
"#;

/// The hostile component, as bytes.
pub(crate) fn hostile_component() -> Vec<u8> {
    component(HOSTILE)
}

/// An engine that runs the hostile component, with small allowances.
pub(crate) fn hostile() -> EngineBuilder {
    Engine::builder()
        .component(hostile_component())
        .deadline(Duration::from_millis(200))
        .memory_max_bytes(128 * 1_024 * 1_024)
}

/// Wraps a core module as a component of the product's world.
pub(crate) fn component(core: &str) -> Vec<u8> {
    ComponentEncoder::default().validate(true).module(&module(core)).unwrap().encode().unwrap()
}

/// A core module that says which world it implements.
pub(crate) fn module(core: &str) -> Vec<u8> {
    let mut module = wat::parse_str(core).unwrap();
    let mut resolve = Resolve::default();
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
    let (package, _) = resolve.push_dir(wit).unwrap();
    let world = resolve.select_world(&[package], Some("engine")).unwrap();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    module
}
