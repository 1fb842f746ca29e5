//! `both_engines` under the fuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| result_budget_fuzz::both_engines(bytes));
