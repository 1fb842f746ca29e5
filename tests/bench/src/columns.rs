//! What is measured: each column reads one document a call.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use result_budget::{Answer, Boundary, Call};
use result_budget_core::{Outcome, OutputSchema, Request, Schemas, Settings, json};
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::clock;
use crate::documents::Document;
use crate::fuel::{ALL_FITS_POLICY, ALL_SHAPES_POLICY};
use crate::guest::Guest;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Copying the bytes.
    Copy,
    /// `serde_json` reads and keeps nothing.
    Ignore,
    /// `sonic-rs` reads and keeps nothing.
    SonicIgnore,
    /// `serde_json::Value` read and printed.
    Value,
    /// Our scanner, no table.
    Scan,
    /// `fit` with room for everything.
    Fit,
    /// The same under limits on the shape of `structuredContent` too.
    FitShapes,
    /// `fit` to 32,000 bytes, with report and notice.
    Cut,
    /// The same under an output schema that was compiled before.
    CutGiven,
    /// Our scanner over the JSON inside the text block.
    ScanPart,
    /// In WebAssembly: `serde_json` reads and keeps nothing.
    GuestIgnore,
    /// Our scanner, in the same module.
    GuestScan,
    /// `fit` with room for everything, in the same module.
    GuestFit,
    /// Our scanner over the JSON inside the text block, in the same module.
    GuestScanPart,
    /// The component behind its host, with room for everything.
    ComponentFit,
    /// The same under limits on the shape of `structuredContent` too.
    ComponentFitShapes,
    /// The component behind its host, to 32,000 bytes.
    ComponentCut,
    /// The same under an output schema that was compiled before.
    ComponentCutGiven,
}

/// Everything that the columns call.
pub struct Subjects {
    guest: Guest,
    fit: Settings,
    fit_shapes: Settings,
    cut: Settings,
    schemas: Schemas,
    schema: Option<&'static str>,
    component_fit: Boundary,
    component_fit_shapes: Boundary,
    component_cut: Boundary,
    cut_bytes: usize,
    buffer: Vec<u8>,
}

/// The time of each column over the same documents.
#[derive(Clone, Debug)]
pub struct Times(Vec<(Column, Duration)>);

impl std::fmt::Debug for Subjects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subjects").finish_non_exhaustive()
    }
}

impl Column {
    /// All of them.
    pub const ALL: [Column; 18] = [
        Column::Copy,
        Column::Ignore,
        Column::SonicIgnore,
        Column::Value,
        Column::Scan,
        Column::Fit,
        Column::FitShapes,
        Column::Cut,
        Column::CutGiven,
        Column::ScanPart,
        Column::GuestIgnore,
        Column::GuestScan,
        Column::GuestFit,
        Column::GuestScanPart,
        Column::ComponentFit,
        Column::ComponentFitShapes,
        Column::ComponentCut,
        Column::ComponentCutGiven,
    ];
}

impl Subjects {
    /// Loads everything; cuts go to `cut_bytes`, under `schema` where there is
    /// one.
    ///
    /// # Errors
    /// Where a part was not built.
    pub fn load(cut_bytes: usize, schema: Option<&'static str>) -> Result<Self> {
        let limit = cut_bytes.to_string();
        let settings = |policy: &str, limit_bytes: Option<&str>| {
            let request = Request { limit_bytes, ..Request::default() };
            result_budget_core::settle(policy, &request)
                .map(|settled| settled.settings)
                .map_err(|error| anyhow!("{error:?}"))
        };
        let boundary = |policy: &str| {
            Boundary::builder().policy_json(policy).build().context("the component refuses")
        };
        Ok(Subjects {
            guest: Guest::load()?,
            fit: settings(ALL_FITS_POLICY, None)?,
            fit_shapes: settings(ALL_SHAPES_POLICY, None)?,
            cut: settings("", Some(&limit))?,
            schemas: Schemas::default(),
            schema,
            component_fit: boundary(ALL_FITS_POLICY)?,
            component_fit_shapes: boundary(ALL_SHAPES_POLICY)?,
            component_cut: Boundary::builder().limit_bytes(cut_bytes).build()?,
            cut_bytes,
            buffer: Vec::new(),
        })
    }

    /// Makes sure that every column does what it says, and that all ways to
    /// cut give the same bytes.
    ///
    /// # Errors
    /// Where one does not.
    pub fn check(&mut self, document: &'static Document) -> Result<()> {
        let text = &document.text;
        ensure!(self.guest.ignore(text)?, "`serde_json` refuses the document");
        ensure!(self.guest.scan(text, u32::MAX)?, "our scanner refuses the document");
        let ceiling = result_budget_core::INPUT_MAX_BYTES;
        ensure!(self.guest.fit(text, ceiling, ceiling)?.is_none(), "the guest changed it");
        for settings in [&self.fit, &self.fit_shapes] {
            let outcome = native(text, settings)?;
            ensure!(outcome == Outcome::Unchanged, "it does not stay as it is natively");
        }
        for boundary in [&self.component_fit, &self.component_fit_shapes] {
            let answer = boundary.fit(text.as_str(), &Call::default());
            let unchanged = matches!(answer, Answer::Unchanged { .. });
            ensure!(unchanged, "it does not stay as it is in the component");
        }
        let Outcome::Bounded(fitted) = native(text, &self.cut)? else {
            return Err(anyhow!("it is not cut natively"));
        };
        ensure!(fitted.tool_result_json.len() <= self.cut_bytes, "it is cut to too much");
        let answer = self.component_cut.fit(text.as_str(), &CUT_CALL);
        let Answer::Bounded { tool_result_json, report_json, .. } = answer else {
            return Err(anyhow!("it is not cut in the component: {:?}", answer.outcome()));
        };
        ensure!(
            tool_result_json == fitted.tool_result_json && report_json == fitted.report_json,
            "the component cuts otherwise"
        );
        let Some(schema) = self.schema else { return Ok(()) };
        let Outcome::Bounded(given) = given(text, schema, &self.schemas, &self.cut)? else {
            return Err(anyhow!("it is not cut natively under its schema"));
        };
        ensure!(!given.replaced_by_error, "an error under its schema");
        let call = Call { output_schema: result_budget::OutputSchema::Given(schema), ..CUT_CALL };
        let answer = self.component_cut.fit(text.as_str(), &call);
        let Answer::Bounded { tool_result_json, .. } = answer else {
            return Err(anyhow!("not cut in the component under its schema"));
        };
        ensure!(tool_result_json == given.tool_result_json, "the component cuts otherwise");
        Ok(())
    }

    /// Times every column over `documents`: all of them in turn, `rounds`
    /// times; of the rounds the lower quartile.
    ///
    /// # Errors
    /// Where the guest traps.
    pub fn time(&mut self, documents: &'static [Document], rounds: usize) -> Result<Times> {
        let has_part = documents.iter().all(|document| document.part.is_some());
        let has_schema = self.schema.is_some();
        let columns = Column::ALL.into_iter().filter(|column| match column {
            Column::ScanPart | Column::GuestScanPart => has_part,
            Column::CutGiven | Column::ComponentCutGiven => has_schema,
            Column::Copy
            | Column::Ignore
            | Column::SonicIgnore
            | Column::Value
            | Column::Scan
            | Column::Fit
            | Column::FitShapes
            | Column::Cut
            | Column::GuestIgnore
            | Column::GuestScan
            | Column::GuestFit
            | Column::ComponentFit
            | Column::ComponentFitShapes
            | Column::ComponentCut => true,
        });
        let mut spent: Vec<(Column, Vec<Duration>)> =
            columns.map(|column| (column, Vec::with_capacity(rounds))).collect();
        // The first round warms up.
        for round in 0..=rounds {
            for (column, times) in &mut spent {
                // Its memory was last touched a whole round ago.
                if let Some(document) = documents.last() {
                    self.run(*column, document)?;
                }
                let began = clock::now();
                for document in documents {
                    self.run(*column, document)?;
                }
                if round > 0 {
                    times.push(clock::now().saturating_sub(began));
                }
            }
        }
        let quartile = |(column, times): (Column, Vec<_>)| (column, clock::lower_quartile(&times));
        Ok(Times(spent.into_iter().map(quartile).collect()))
    }

    fn run(&mut self, column: Column, document: &'static Document) -> Result<()> {
        let text = document.text.as_str();
        let part = document.part.as_deref().unwrap_or_default();
        let ceiling = result_budget_core::INPUT_MAX_BYTES;
        match column {
            Column::Copy => {
                self.buffer.clear();
                self.buffer.extend_from_slice(black_box(text).as_bytes());
                black_box(&self.buffer);
            }
            Column::Ignore => {
                black_box(serde_json::from_str::<IgnoredAny>(black_box(text)).is_ok());
            }
            Column::SonicIgnore => {
                black_box(sonic_rs::from_str::<IgnoredAny>(black_box(text)).is_ok());
            }
            Column::Value => {
                let value: Value = serde_json::from_str(black_box(text))?;
                black_box(serde_json::to_string(&value)?);
            }
            Column::Scan => {
                black_box(json::scan(black_box(text), u32::MAX).is_ok());
            }
            Column::ScanPart => {
                black_box(json::scan(black_box(part), u32::MAX).is_ok());
            }
            Column::Fit => {
                black_box(native(black_box(text), &self.fit)?);
            }
            Column::FitShapes => {
                black_box(native(black_box(text), &self.fit_shapes)?);
            }
            Column::Cut => {
                black_box(native(black_box(text), &self.cut)?);
            }
            Column::CutGiven => {
                let schema = self.schema.unwrap_or_default();
                black_box(given(black_box(text), schema, &self.schemas, &self.cut)?);
            }
            Column::GuestIgnore => {
                black_box(self.guest.ignore(text)?);
            }
            Column::GuestScan => {
                black_box(self.guest.scan(text, u32::MAX)?);
            }
            Column::GuestScanPart => {
                black_box(self.guest.scan(part, u32::MAX)?);
            }
            Column::GuestFit => {
                black_box(self.guest.fit(text, ceiling, ceiling)?);
            }
            Column::ComponentFit => {
                black_box(self.component_fit.fit(black_box(text), &Call::default()));
            }
            Column::ComponentFitShapes => {
                black_box(self.component_fit_shapes.fit(black_box(text), &Call::default()));
            }
            Column::ComponentCut => {
                black_box(self.component_cut.fit(black_box(text), &CUT_CALL));
            }
            Column::ComponentCutGiven => {
                let schema = self.schema.unwrap_or_default();
                let output_schema = result_budget::OutputSchema::Given(schema);
                let call = Call { output_schema, ..CUT_CALL };
                black_box(self.component_cut.fit(black_box(text), &call));
            }
        }
        Ok(())
    }
}

impl Times {
    /// The time of `column`; `None` where it does not apply.
    #[must_use]
    pub fn of(&self, column: Column) -> Option<Duration> {
        self.0.iter().find(|(name, _)| *name == column).map(|(_, time)| *time)
    }

    /// `column` in units of `base`; not a number where one does not apply.
    #[must_use]
    pub fn ratio(&self, column: Column, base: Column) -> f64 {
        match (self.of(column), self.of(base)) {
            (Some(time), Some(base)) => time.as_secs_f64() / base.as_secs_f64(),
            _ => f64::NAN,
        }
    }
}

fn native(text: &str, settings: &Settings) -> Result<Outcome> {
    result_budget_core::fit(text, OutputSchema::None, settings)
        .map_err(|error| anyhow!("{error:?}"))
}

/// The same under an output schema, which is compiled once.
fn given(text: &str, schema: &str, schemas: &Schemas, settings: &Settings) -> Result<Outcome> {
    let call = result_budget_core::Call {
        output_schema: OutputSchema::Given(schema),
        schemas: Some(schemas),
        ..result_budget_core::Call::default()
    };
    result_budget_core::fit(text, call, settings).map_err(|error| anyhow!("{error:?}"))
}

/// No output schema: every cut is legal, natively too.
const CUT_CALL: Call<'static> = Call {
    kind: result_budget::ResultKind::Tool,
    previous_report: None,
    tool: None,
    revision: None,
    output_schema: result_budget::OutputSchema::None,
    client_name: None,
    call_max_bytes: None,
    call_max_tokens: None,
};
