//! Core module to component, and what both must be.

use anyhow::{Context, Result, bail, ensure};
use wasmparser::{BinaryReader, Parser, Payload, Validator};
use wit_component::ComponentEncoder;

/// The guest's memory ceiling, in pages of 64 KiB: 256 MiB. An input of 16 MiB
/// must fit with its copies; a runaway must not.
const MEMORY_MAX_PAGES: u64 = 4_096;

/// The kind of a section that means nothing to who runs the module.
const CUSTOM_SECTION: u8 = 0;

/// What a component shows to its host.
pub(crate) struct Shape {
    /// Exported interfaces, in order.
    pub(crate) exports: Vec<String>,
}

/// Wraps the core module as a component and checks both.
pub(crate) fn assemble(core: &[u8]) -> Result<Vec<u8>> {
    check_core(core)?;
    let component = ComponentEncoder::default()
        .validate(true)
        .module(core)
        .and_then(|encoder| encoder.encode())
        .context("the core module does not carry the WIT world that it implements")?;
    nameless(&component)
}

/// The component without the names of its inner parts: they serve debuggers,
/// and are two kilobytes.
fn nameless(component: &[u8]) -> Result<Vec<u8>> {
    let (preamble, sections) = component.split_at_checked(8).context("no preamble")?;
    let mut kept = preamble.to_vec();
    let mut reader = BinaryReader::new(sections, 0);
    while !reader.eof() {
        let start = reader.current_position();
        let kind = reader.read_u8()?;
        let mut body = reader.read_reader()?;
        if kind != CUSTOM_SECTION || body.read_string()? != "component-name" {
            kept.extend_from_slice(&sections[start..reader.current_position()]);
        }
    }
    Validator::new().validate_all(&kept).context("the component is not valid without its names")?;
    Ok(kept)
}

/// Refuses a core module with an import, or without the memory ceiling.
fn check_core(core: &[u8]) -> Result<()> {
    let mut memory_max_pages = None;
    for payload in Parser::new(0).parse_all(core) {
        let payload = payload.context("the core module is not WebAssembly")?;
        if let Payload::ImportSection(section) = payload {
            if let Some(import) = section.into_imports().next() {
                let import = import?;
                bail!("the core module imports `{}` `{}`", import.module, import.name);
            }
        } else if let Payload::MemorySection(section) = payload {
            for memory in section {
                memory_max_pages = memory?.maximum;
            }
        }
    }
    ensure!(
        memory_max_pages == Some(MEMORY_MAX_PAGES),
        "the core module's memory may grow to {memory_max_pages:?} pages, not {MEMORY_MAX_PAGES}: \
         link it with the flags in `.cargo/config.toml`"
    );
    Ok(())
}

/// Reads the component's exports, and refuses it if it has an import.
pub(crate) fn shape(component: &[u8]) -> Result<Shape> {
    let mut exports = Vec::new();
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload?;
        if matches!(payload, Payload::ModuleSection { .. } | Payload::ComponentSection { .. }) {
            depth += 1;
        } else if matches!(payload, Payload::End(_)) {
            depth = depth.saturating_sub(1);
        } else if depth > 0 {
            // Inside: only what the whole component imports and exports counts.
        } else if let Payload::ComponentImportSection(section) = payload {
            if let Some(import) = section.into_iter().next() {
                bail!("the component imports `{}`", import?.name.name);
            }
        } else if let Payload::ComponentExportSection(section) = payload {
            for export in section {
                exports.push(export?.name.name.to_owned());
            }
        }
    }
    ensure!(!exports.is_empty(), "the component exports nothing");
    Ok(Shape { exports })
}
