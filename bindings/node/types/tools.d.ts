import { type Message, type RecordOf } from './message.js';
/** One tool of a server. */
export interface Tool {
    /** Its output schema, `none` where it declares none. */
    outputSchema: object | 'none';
    /** Whether `max_bytes` is an argument of its own. */
    declaresMaxBytes: boolean;
}
/** The tools of one server. */
export declare class Tools {
    #private;
    constructor(deliver: (message: Message, extra: unknown) => void);
    /** What is known of a tool. */
    known(name: string | undefined): Tool | undefined;
    /** Takes note of a page of `tools/list`, and of the same as clients see it. */
    learn(list: RecordOf<unknown>, prepared?: RecordOf<unknown>): void;
    /** The list has changed. */
    forget(): void;
    /**
     * What is known of a tool, asked of the server where nothing is; `undefined`
     * where it does not say. `request` is the one whose answer waits for this: it
     * tells who asks.
     */
    find(name: string | undefined, request: Message, extra: unknown): Promise<Tool | undefined>;
    /** Whether `message` answers a question of ours, and so is for nobody else. */
    takes(message: Message): boolean;
}
