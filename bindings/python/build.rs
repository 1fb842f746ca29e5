//! Lets the extension be linked outside of maturin too, as tests of the
//! workspace do.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
