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
export declare class ResultBudgetError extends Error implements Failure {
    readonly name = "ResultBudgetError";
    /** The stable name of the case, in kebab case. */
    readonly code: string;
    /** Where a result is faulty, in bytes from its start. */
    readonly offsetBytes?: number;
    /** The facts of the message. */
    readonly fault?: Readonly<Record<string, string | number>>;
    /** Makes an error of a failure. */
    constructor(failure: Failure);
}
/** An argument of the wrong kind: its name, what it must be, and what was given. */
export declare function wrongArgument(name: string, allowed: string, given: unknown): ResultBudgetError;
/** Refuses members that nobody reads: a misspelt option must not pass in silence. */
export declare function onlyKnown(what: string, given: object, known: readonly string[]): void;
