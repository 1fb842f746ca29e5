// What is thrown: one class, told apart by its code.

/** What went wrong, and whose fault it is. */
export interface Failure {
  /** The stable name of the case, in kebab case. */
  readonly code: string;
  /** Who is at fault, what was given and what is allowed, as one line. */
  readonly message: string;
  /** Where a result is faulty, in bytes from its start. */
  readonly offsetBytes?: number;
  /** The facts of the message: a limit's `name`, `given`, `min` and `max`, and the like. */
  readonly fault?: Readonly<Record<string, string | number>>;
}

/** The one class of errors that this package throws. */
export class ResultBudgetError extends Error implements Failure {
  override readonly name = 'ResultBudgetError';
  /** The stable name of the case, in kebab case. */
  readonly code: string;
  /** Where a result is faulty, in bytes from its start. */
  readonly offsetBytes?: number;
  /** The facts of the message. */
  readonly fault?: Readonly<Record<string, string | number>>;

  /** Makes an error of a failure. */
  constructor(failure: Failure) {
    super(failure.message);
    this.code = failure.code;
    if (failure.offsetBytes !== undefined) this.offsetBytes = failure.offsetBytes;
    if (failure.fault !== undefined) this.fault = failure.fault;
  }
}

/** An argument of the wrong kind: its name, what it must be, and what was given. */
export function wrongArgument(name: string, allowed: string, given: unknown): ResultBudgetError {
  const message = `\`${name}\` must be ${allowed}, got ${kindOf(given)} (the caller is at fault)`;
  return new ResultBudgetError({ code: 'invalid-argument', message });
}

/** Refuses members that nobody reads: a misspelt option must not pass in silence. */
export function onlyKnown(what: string, given: object, known: readonly string[]): void {
  const foreign = Object.keys(given).find((key) => !known.includes(key));
  if (foreign === undefined) return;
  const message = `${what} has no \`${foreign.slice(0, 64)}\`, allowed: ${known.join(', ')} (the caller is at fault)`;
  throw new ResultBudgetError({ code: 'invalid-argument', message });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `an object of class ${value.constructor?.name ?? 'null'}`;
  if (typeof value === 'string') return `the text \`${value.slice(0, 64)}\``;
  return `the ${typeof value} \`${String(value)}\``;
}
