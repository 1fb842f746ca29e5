type Facts = Record<string, string | number>;
/** The message of a failure. */
export declare function wordsOf(code: string, facts: Facts): string;
export {};
