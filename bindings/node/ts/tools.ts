// What a server says of its tools: seen on the wire, else asked of the server
// itself by a request that never reaches the wire.

import { isRecord, MAX_BYTES, type Message, type RecordOf } from './message.js';

/** One tool of a server. */
export interface Tool {
  /** Its output schema, `none` where it declares none. */
  outputSchema: object | 'none';
  /** Whether `max_bytes` is an argument of its own. */
  declaresMaxBytes: boolean;
}

/** The tools of one server. */
export class Tools {
  readonly #deliver: (message: Message, extra: unknown) => void;
  readonly #asked = new Map<string, (answer: Message | undefined) => void>();
  #tools = new Map<string, Tool>();

  constructor(deliver: (message: Message, extra: unknown) => void) {
    this.#deliver = deliver;
  }

  /** What is known of a tool. */
  known(name: string | undefined): Tool | undefined {
    return name === undefined ? undefined : this.#tools.get(name);
  }

  /** Takes note of a page of `tools/list`, and of the same as clients see it. */
  learn(list: RecordOf<unknown>, prepared: RecordOf<unknown> = list): void {
    const tools = Array.isArray(list['tools']) ? list['tools'] : [];
    const seen = Array.isArray(prepared['tools']) ? prepared['tools'] : [];
    for (const [at, tool] of tools.entries()) {
      if (!isRecord(tool) || typeof tool['name'] !== 'string') continue;
      const { name, inputSchema } = tool;
      const outputSchema = isRecord(seen[at]) ? seen[at]['outputSchema'] : undefined;
      const properties = isRecord(inputSchema) ? inputSchema['properties'] : undefined;
      this.#tools.set(name as string, {
        outputSchema: isRecord(outputSchema) ? outputSchema : 'none',
        declaresMaxBytes: isRecord(properties) && 'max_bytes' in properties,
      });
    }
  }

  /** The list has changed. */
  forget(): void {
    this.#tools = new Map();
  }

  /**
   * What is known of a tool, asked of the server where nothing is; `undefined`
   * where it does not say. `request` is the one whose answer waits for this: it
   * tells who asks.
   */
  async find(name: string | undefined, request: Message, extra: unknown): Promise<Tool | undefined> {
    if (name === undefined || this.#tools.has(name)) return this.known(name);
    let cursor: unknown;
    for (let page = 0; page < PAGES_MAX_ITEMS; page += 1) {
      const answer = await this.#ask(request, extra, cursor);
      const list = answer?.result;
      if (!isRecord(list)) return undefined;
      this.learn(list);
      cursor = list['nextCursor'];
      if (this.#tools.has(name) || typeof cursor !== 'string') break;
    }
    return this.known(name);
  }

  /** Whether `message` answers a question of ours, and so is for nobody else. */
  takes(message: Message): boolean {
    const settle = typeof message.id === 'string' ? this.#asked.get(message.id) : undefined;
    settle?.(message);
    return settle !== undefined;
  }

  #ask(request: Message, extra: unknown, cursor: unknown): Promise<Message | undefined> {
    const id = `result-budget-${crypto.randomUUID()}`;
    return new Promise((resolve) => {
      const settle = (answer: Message | undefined) => {
        clearTimeout(timer);
        this.#asked.delete(id);
        resolve(answer);
      };
      // A server that does not answer must not keep a result back.
      const timer = setTimeout(() => settle(undefined), ASK_MAX_MILLIS);
      timer.unref();
      this.#asked.set(id, settle);
      const params = isRecord(request.params) ? request.params : {};
      // Since 2026-07-28 each request says who asks, in `_meta`.
      const { progressToken: _, [MAX_BYTES]: __, ...meta } = isRecord(params['_meta']) ? params['_meta'] : {};
      const asking = {
        ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
        ...(cursor === undefined ? {} : { cursor }),
      };
      this.#deliver({ jsonrpc: '2.0', id, method: 'tools/list', params: asking }, extra);
    });
  }
}

/** As many pages as the SDK's own client walks. */
const PAGES_MAX_ITEMS = 64;
const ASK_MAX_MILLIS = 1_000;
