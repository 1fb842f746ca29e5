// One class for both kinds of modules.
import main from './dist/wasm.js';

export const { Boundary, Engine, ResultBudgetError } = main;
