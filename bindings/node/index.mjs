// One class for both kinds of modules.
import main from './dist/index.js';

export const { Boundary, Engine, ResultBudgetError } = main;
