//! Reading JSON without building values: strict RFC 8259, spans into the
//! text, no recursion over the input.

pub mod equal;
pub mod pointer;
pub mod read;

pub use result_budget_json::escape;
pub use result_budget_json::scan::{self, Index, Kind, Node, SyntaxFault, scan};
pub use result_budget_json::walk;
