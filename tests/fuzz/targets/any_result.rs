//! `any_result` under the fuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| result_budget_fuzz::any_result(bytes));
