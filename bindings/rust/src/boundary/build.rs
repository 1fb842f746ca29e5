//! Says what is in force at a boundary.

use std::fmt;
use std::sync::Arc;

use super::{Boundary, BoundaryBuilder, Inner, Mode, settle};
use crate::answer::Record;
use crate::engine::Engine;
use crate::error::BuildError;
use crate::guest::Request;
use crate::settled::SettledCalls;

impl BoundaryBuilder {
    /// The engine to use; that of the process, [`Engine::shared`], unless told.
    pub fn engine(mut self, engine: &Engine) -> Self {
        self.engine = Some(engine.clone());
        self
    }

    /// The policy document, as JSON text.
    pub fn policy_json(mut self, policy_json: impl Into<String>) -> Self {
        self.policy_json = policy_json.into();
        self
    }

    /// A preset by name, or `auto` for that of the client of each call; the
    /// policy's own, else `normal`, unless told.
    pub fn preset(mut self, preset: impl Into<String>) -> Self {
        self.preset = Some(preset.into());
        self
    }

    /// A whole-result limit that also caps the text and binary ceilings: a
    /// number of any kind, or the text of one. The engine reads it, so that
    /// what is no whole number in range is refused and never rounded.
    ///
    /// ```
    /// use result_budget::Boundary;
    ///
    /// assert!(Boundary::builder().limit_bytes(8_000).build().is_ok());
    /// assert!(Boundary::builder().limit_bytes("8000").build().is_ok());
    /// let refused = Boundary::builder().limit_bytes(-1).build().unwrap_err();
    /// assert_eq!(refused.code(), "limit-out-of-range");
    /// ```
    pub fn limit_bytes(mut self, bytes: impl fmt::Display) -> Self {
        self.limit_bytes = Some(bytes.to_string());
        self
    }

    /// A limit of what a model reads, in tokens: a number of any kind, or the
    /// text of one.
    pub fn limit_tokens(mut self, tokens: impl fmt::Display) -> Self {
        self.limit_tokens = Some(tokens.to_string());
        self
    }

    /// The wire profile by name: how the host prints the result after this
    /// boundary (contract B14). The policy's own unless told.
    pub fn wire_profile(mut self, wire_profile: impl Into<String>) -> Self {
        self.wire_profile = Some(wire_profile.into());
        self
    }

    /// Whether the boundary changes what passes.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Called once for each result, on the thread of the call, before the
    /// answer is returned.
    pub fn on_report(mut self, on_report: impl Fn(&Record<'_>) + Send + Sync + 'static) -> Self {
        self.on_report = Some(Box::new(on_report));
        self
    }

    /// Settles what is in force where nothing is known of a call.
    ///
    /// # Errors
    /// [`BuildError`]: the policy, the preset, the limit or the wire profile is
    /// refused, or there is no engine.
    pub fn build(self) -> Result<Boundary, BuildError> {
        let engine = match self.engine {
            Some(engine) => engine,
            None => Engine::shared()?,
        };
        let request = Request {
            preset: self.preset.as_deref(),
            limit_bytes: self.limit_bytes.as_deref(),
            limit_tokens: self.limit_tokens.as_deref(),
            wire_profile: self.wire_profile.as_deref(),
            ..Request::default()
        };
        let base = settle(&engine, &self.policy_json, request)?;
        Ok(Boundary {
            inner: Arc::new(Inner {
                engine,
                policy_json: self.policy_json,
                preset: self.preset,
                limit_bytes: self.limit_bytes,
                limit_tokens: self.limit_tokens,
                wire_profile: self.wire_profile,
                mode: self.mode,
                on_report: self.on_report,
                base: Arc::new(base),
                settled: SettledCalls::default(),
            }),
        })
    }
}
