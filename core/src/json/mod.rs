//! Reading JSON without building values: strict RFC 8259, spans into the
//! text, no recursion over the input.

pub mod pointer;
pub mod scan;

pub use scan::{Index, Kind, Node, SyntaxFault, scan};
