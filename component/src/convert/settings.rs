//! Settings, in and out.

use result_budget_core as core;

use crate::bindings::exports::result_budget::engine::types;

pub(crate) fn settings_in(settings: types::Settings) -> core::Settings {
    let types::Settings {
        limits,
        revision,
        wire_profile,
        mirror,
        notice,
        text_keep,
        ansi,
        keep_fields,
        resources,
        call_argument,
        max_description_bytes,
    } = settings;
    core::Settings {
        limits: limits_in(limits),
        revision: revision_in(revision),
        wire_profile: wire_profile_in(wire_profile),
        mirror: mirror_in(mirror),
        notice: notice_place_in(notice),
        text_keep: text_keep_in(text_keep),
        ansi: match ansi {
            types::Ansi::Keep => core::Ansi::Keep,
            types::Ansi::Strip => core::Ansi::Strip,
        },
        keep_fields,
        resources: resources_in(resources),
        call_argument,
        max_description_bytes,
    }
}

pub(crate) fn settings_out(settings: core::Settings) -> types::Settings {
    let core::Settings {
        limits,
        revision,
        wire_profile,
        mirror,
        notice,
        text_keep,
        ansi,
        keep_fields,
        resources,
        call_argument,
        max_description_bytes,
    } = settings;
    types::Settings {
        limits: limits_out(limits),
        revision: revision_out(revision),
        wire_profile: wire_profile_out(wire_profile),
        mirror: mirror_out(mirror),
        notice: notice_place_out(notice),
        text_keep: text_keep_out(text_keep),
        ansi: match ansi {
            core::Ansi::Keep => types::Ansi::Keep,
            core::Ansi::Strip => types::Ansi::Strip,
        },
        keep_fields,
        resources: resources_out(resources),
        call_argument,
        max_description_bytes,
    }
}

fn limits_in(limits: types::Limits) -> core::Limits {
    let types::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    } = limits;
    core::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    }
}

fn limits_out(limits: core::Limits) -> types::Limits {
    let core::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    } = limits;
    types::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    }
}

fn revision_in(revision: types::Revision) -> core::Revision {
    match revision {
        types::Revision::R20241105 => core::Revision::R20241105,
        types::Revision::R20250326 => core::Revision::R20250326,
        types::Revision::R20250618 => core::Revision::R20250618,
        types::Revision::R20251125 => core::Revision::R20251125,
        types::Revision::R20260728 => core::Revision::R20260728,
    }
}

fn revision_out(revision: core::Revision) -> types::Revision {
    match revision {
        core::Revision::R20241105 => types::Revision::R20241105,
        core::Revision::R20250326 => types::Revision::R20250326,
        core::Revision::R20250618 => types::Revision::R20250618,
        core::Revision::R20251125 => types::Revision::R20251125,
        core::Revision::R20260728 => types::Revision::R20260728,
    }
}

fn wire_profile_in(profile: types::WireProfile) -> core::WireProfile {
    match profile {
        types::WireProfile::Utf8Compact => core::WireProfile::Utf8Compact,
        types::WireProfile::AsciiCompact => core::WireProfile::AsciiCompact,
        types::WireProfile::PythonJson => core::WireProfile::PythonJson,
        types::WireProfile::HtmlEscaped => core::WireProfile::HtmlEscaped,
    }
}

fn wire_profile_out(profile: core::WireProfile) -> types::WireProfile {
    match profile {
        core::WireProfile::Utf8Compact => types::WireProfile::Utf8Compact,
        core::WireProfile::AsciiCompact => types::WireProfile::AsciiCompact,
        core::WireProfile::PythonJson => types::WireProfile::PythonJson,
        core::WireProfile::HtmlEscaped => types::WireProfile::HtmlEscaped,
    }
}

fn mirror_in(mirror: types::Mirror) -> core::Mirror {
    match mirror {
        types::Mirror::Both => core::Mirror::Both,
        types::Mirror::Structured => core::Mirror::Structured,
        types::Mirror::Text => core::Mirror::Text,
    }
}

fn mirror_out(mirror: core::Mirror) -> types::Mirror {
    match mirror {
        core::Mirror::Both => types::Mirror::Both,
        core::Mirror::Structured => types::Mirror::Structured,
        core::Mirror::Text => types::Mirror::Text,
    }
}

fn notice_place_in(place: types::NoticePlace) -> core::NoticePlace {
    match place {
        types::NoticePlace::First => core::NoticePlace::First,
        types::NoticePlace::Last => core::NoticePlace::Last,
    }
}

fn notice_place_out(place: core::NoticePlace) -> types::NoticePlace {
    match place {
        core::NoticePlace::First => types::NoticePlace::First,
        core::NoticePlace::Last => types::NoticePlace::Last,
    }
}

fn text_keep_in(keep: types::TextKeep) -> core::TextKeep {
    match keep {
        types::TextKeep::Auto => core::TextKeep::Auto,
        types::TextKeep::Head => core::TextKeep::Head,
        types::TextKeep::Tail => core::TextKeep::Tail,
        types::TextKeep::HeadAndTail => core::TextKeep::HeadAndTail,
    }
}

fn text_keep_out(keep: core::TextKeep) -> types::TextKeep {
    match keep {
        core::TextKeep::Auto => types::TextKeep::Auto,
        core::TextKeep::Head => types::TextKeep::Head,
        core::TextKeep::Tail => types::TextKeep::Tail,
        core::TextKeep::HeadAndTail => types::TextKeep::HeadAndTail,
    }
}

fn resources_in(resources: types::Resources) -> core::Resources {
    match resources {
        types::Resources::Whole => core::Resources::Whole,
        types::Resources::Cut => core::Resources::Cut,
    }
}

fn resources_out(resources: core::Resources) -> types::Resources {
    match resources {
        core::Resources::Whole => types::Resources::Whole,
        core::Resources::Cut => types::Resources::Cut,
    }
}
