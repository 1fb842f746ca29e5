export type { Attachment, AttachOptions } from './attach.js';
export type { Answer, BoundaryOptions, Call, CallReport, Outcome, Report } from './boundary.js';
export type { EngineOptions } from './engine.js';
export { type Failure, ResultBudgetError } from './error.js';
export type { LimitRow, Measurement, Part, PresetRow, Settings } from './host.js';
