//! Reading JSON without building values: strict RFC 8259, spans into the
//! text, no recursion over the input.

pub mod bytes;
pub mod equal;
pub mod escape;
pub mod pointer;
pub mod read;
pub mod scan;
pub mod walk;

pub use scan::{Index, Kind, Node, SyntaxFault, scan};
