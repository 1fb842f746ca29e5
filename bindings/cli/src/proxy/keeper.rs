//! The place for whatever keeps what the boundary cuts. Nothing does yet: this
//! is what such a keeper may do to a session.

use result_budget::{Answer, Boundary, Call, Input};

/// Stands beside the boundary of one session.
pub(crate) trait Keeper: Send + Sync {
    /// The first page of `tools/list` with a tool more, where there is one to
    /// add; `list_json` is the result as it is prepared for clients.
    fn extend_list(&self, list_json: &str) -> Option<String>;

    /// The result of a `tools/call` that is for this keeper, and which the
    /// server then never sees; `params_json` as the client sent it.
    fn answer(&self, tool: &str, params_json: &str, call: &Call<'_>) -> Option<String>;

    /// Bounds one result. It sees what came in, may keep it, and may fit under
    /// other settings; what it returns is sent.
    fn fit<'a>(&self, boundary: &Boundary, input: Input<'a>, call: &Call<'_>) -> Answer<'a>;
}

/// Keeps nothing.
pub(crate) struct KeepsNothing;

impl Keeper for KeepsNothing {
    fn extend_list(&self, _list_json: &str) -> Option<String> {
        None
    }

    fn answer(&self, _tool: &str, _params_json: &str, _call: &Call<'_>) -> Option<String> {
        None
    }

    fn fit<'a>(&self, boundary: &Boundary, input: Input<'a>, call: &Call<'_>) -> Answer<'a> {
        boundary.fit(input, call)
    }
}
