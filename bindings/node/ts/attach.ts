// One line behind a server: every message that it sends passes the boundary in
// its final form, after the SDK has added what it adds.
//
// Knows the shape of JSON-RPC messages and where the protocol carries names,
// revisions and budgets. Which bytes stay is the engine's to say.

import type { Answer, Boundary, Call } from './boundary.js';
import { onlyKnown, ResultBudgetError } from './error.js';
import { sayOnce } from './log.js';
import { describe, isRecord, type Message, type RecordOf, type RequestId, type Transport } from './message.js';
import { checkedServer, type ServerLike } from './sdk.js';
import { type Tool, Tools } from './tools.js';

/** How a boundary is attached. */
export interface AttachOptions {
  /** Takes each line of the log; that of the boundary unless told. */
  logger?: (line: string) => void;
}

/** A boundary behind a server. */
export interface Attachment {
  /** Takes the boundary away; the server's next message goes out as it is. */
  detach(): void;
}

/** Puts `boundary` behind `server`. */
export function attach(boundary: Boundary, server: object, options: AttachOptions): Attachment {
  onlyKnown('attach', options, ['logger']);
  const low = checkedServer(server);
  const present = ATTACHED.get(low);
  if (present?.boundary === boundary) return present;
  if (present !== undefined) {
    const message = 'the server has a boundary already: detach that first (the caller is at fault)';
    throw new ResultBudgetError({ code: 'already-attached', message });
  }
  const link = new Link(boundary, low, options.logger ?? boundary.log);
  ATTACHED.set(low, link);
  return link;
}

/** A request that was not answered yet. */
interface Pending {
  method: string;
  call: Call;
  message: Message;
  extra: unknown;
}

class Link implements Attachment {
  readonly boundary: Boundary;
  readonly #server: ServerLike;
  readonly #log: (line: string) => void;
  readonly #connect: ServerLike['connect'];
  #taps: Tap[] = [];

  constructor(boundary: Boundary, server: ServerLike, log: (line: string) => void) {
    this.boundary = boundary;
    this.#server = server;
    this.#log = log;
    this.#connect = server.connect;
    server.connect = (transport: Transport) => {
      this.#tap(transport);
      return this.#connect.call(server, transport);
    };
    if (server.transport !== undefined) this.#tap(server.transport).listen();
  }

  detach(): void {
    this.#server.connect = this.#connect;
    for (const tap of this.#taps) tap.remove();
    this.#taps = [];
    ATTACHED.delete(this.#server);
  }

  #tap(transport: Transport): Tap {
    // A server has one transport at a time; what was tapped before is gone.
    const tap = new Tap(this.boundary, transport, this.#log);
    this.#taps = [tap];
    return tap;
  }
}

/** One transport, with the boundary in both of its directions. */
class Tap {
  readonly #boundary: Boundary;
  readonly #transport: Transport;
  readonly #log: (line: string) => void;
  readonly #send: Transport['send'];
  readonly #start: Transport['start'];
  readonly #pending = new Map<RequestId, Pending>();
  readonly #tools: Tools;
  #receive: Transport['onmessage'];
  #listener: Transport['onmessage'];
  #removed = false;
  /** What `initialize` settled, in the eras that have it. */
  #revision: string | undefined;
  #client: string | undefined;

  constructor(boundary: Boundary, transport: Transport, log: (line: string) => void) {
    this.#boundary = boundary;
    this.#transport = transport;
    this.#log = log;
    this.#send = transport.send;
    this.#start = transport.start;
    this.#tools = new Tools((message, extra) => this.#receive?.call(transport, message, extra));
    transport.send = (message, options) => this.#outgoing(message, options);
    // The server sets its listener, then starts the transport.
    transport.start = () => {
      this.listen();
      return this.#start.call(transport);
    };
  }

  /** Comes between the transport and the server's listener. */
  listen(): void {
    this.#receive = this.#transport.onmessage;
    this.#listener = (message, extra) => this.#incoming(message, extra);
    this.#transport.onmessage = this.#listener;
  }

  remove(): void {
    this.#removed = true;
    this.#transport.send = this.#send;
    this.#transport.start = this.#start;
    if (this.#listener !== undefined && this.#transport.onmessage === this.#listener) {
      this.#transport.onmessage = this.#receive;
    }
  }

  #incoming(message: Message, extra: unknown): void {
    const forward = (message: Message) => this.#receive?.call(this.#transport, message, extra);
    if (this.#removed || !isRecord(message)) return forward(message);
    const { method, id } = message;
    if (method === 'notifications/cancelled' && isRecord(message.params)) {
      // Never answered.
      this.#pending.delete(message.params['requestId'] as RequestId);
    }
    if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return forward(message);
    const told = describe(message, extra);
    if (method === 'initialize') this.#client = told.client;
    const call: Call = {};
    const revision = this.#known(told.revision ?? this.#revision);
    const client = told.client ?? this.#client;
    if (told.tool !== undefined) call.tool = told.tool;
    if (revision !== undefined) call.revision = revision;
    if (client !== undefined) call.client = client;
    sayOnce(this.#boundary, client, this.#log);
    const pending: Pending = { method, call, message, extra };
    if (method !== 'tools/call') {
      this.#pending.set(id, pending);
      return forward(message);
    }
    const { maxBytes, maxTokens } = told;
    if (maxTokens !== undefined) call.maxTokens = maxTokens as number;
    if (maxBytes !== undefined) return this.#ask(pending, id, maxBytes, () => forward(message));
    const wanted = told.arguments?.['max_bytes'];
    if (wanted === undefined && maxTokens !== undefined) {
      return this.#ask(pending, id, undefined, () => forward(message));
    }
    if (wanted === undefined) {
      this.#pending.set(id, pending);
      return forward(message);
    }
    // An argument that the tool does not know is for the boundary.
    void this.#tools.find(told.tool, message, extra).then((tool) => {
      if (tool === undefined || tool.declaresMaxBytes) {
        if (maxTokens !== undefined) return this.#ask(pending, id, undefined, () => forward(message));
        this.#pending.set(id, pending);
        return forward(message);
      }
      const { max_bytes: _, ...rest } = told.arguments as RecordOf<unknown>;
      const stripped = { ...message, params: { ...(message.params as object), arguments: rest } };
      return this.#ask(pending, id, wanted, () => forward(stripped));
    });
  }

  /** Takes the client's budget; one that the engine refuses is answered before the tool runs. */
  #ask(pending: Pending, id: RequestId, maxBytes: unknown, forward: () => void): void {
    if (maxBytes !== undefined) pending.call.maxBytes = maxBytes as number;
    const { answer } = this.#boundary.attempt('{}', pending.call);
    if (answer.failure === undefined) {
      this.#pending.set(id, pending);
      return forward();
    }
    const refusal = { jsonrpc: '2.0', id, result: JSON.parse(answer.result) } as Message;
    void this.#send.call(this.#transport, refusal, { relatedRequestId: id });
  }

  #outgoing(message: Message, options: unknown): Promise<void> {
    const send = (message: Message) => this.#send.call(this.#transport, message, options);
    if (!isRecord(message)) return send(message);
    try {
      if (message.method !== undefined) return send(this.#notification(message));
      if (this.#tools.takes(message)) return Promise.resolve();
      const id = message.id as RequestId;
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      const bounded = this.#response(message, pending);
      return bounded instanceof Promise
        ? bounded.then(send, (error) => send(this.#broken(message, error)))
        : send(bounded);
    } catch (error) {
      return send(this.#broken(message, error));
    }
  }

  #notification(message: Message): Message {
    if (message.method === 'notifications/tools/list_changed') this.#tools.forget();
    if (message.method !== 'notifications/tasks' || !isRecord(message.params)) return message;
    return { ...message, params: this.#inlined(message.params, {}) };
  }

  #response(message: Message, pending: Pending | undefined): Message | Promise<Message> {
    const call: Call = pending?.call ?? (this.#revision === undefined ? {} : { revision: this.#revision });
    if (isRecord(message.error)) return this.#error(message, call);
    const { result } = message;
    if (!isRecord(result)) return message;
    switch (pending?.method) {
      case 'initialize':
        if (typeof result['protocolVersion'] === 'string') this.#revision = result['protocolVersion'];
        return message;
      case 'tools/list':
        this.#tools.learn(result);
        this.#boundary.observe(result, call, 'tools/list');
        return message;
      case 'tools/call':
        return this.#toolResult(message, pending);
      case 'tasks/result':
        return { ...message, result: this.#fit(result, call, pending.method).result };
      case 'tasks/get':
        return { ...message, result: this.#inlined(result, call) };
      case 'prompts/get':
      case 'resources/read':
        return this.#other(message, this.#fit(result, call, pending.method));
      case undefined:
        // A listener of ours was passed by: told by its shape.
        return 'content' in result ? { ...message, result: this.#fit(result, call).result } : message;
      default:
        return message;
    }
  }

  #toolResult(message: Message, pending: Pending): Message | Promise<Message> {
    const result = message.result as RecordOf<unknown>;
    const { call } = pending;
    const finish = (tool: Tool | undefined) => {
      const schema = tool?.outputSchema;
      const fitted = this.#fit(result, schema === undefined ? call : { ...call, outputSchema: schema }, pending.method);
      return { ...message, result: fitted.result };
    };
    const known = this.#tools.known(call.tool);
    if (known !== undefined) return finish(known);
    // What is known of the schema matters only where something is cut.
    const { answer, tell } = this.#boundary.attempt(result, call);
    if (answer.outcome === 'unchanged' || answer.outcome === 'compacted' || answer.failure !== undefined) {
      tell(pending.method);
      return { ...message, result: answer.result };
    }
    return this.#tools.find(call.tool, pending.message, pending.extra).then(finish);
  }

  #fit<T extends object>(result: T, call: Call, method?: string): Answer<T> {
    const { answer, tell } = this.#boundary.attempt(result, call);
    tell(method);
    return answer;
  }

  /** A tool's result inside a task. */
  #inlined(task: RecordOf<unknown>, call: Call): RecordOf<unknown> {
    const { result, error } = task;
    if (isRecord(result)) return { ...task, result: this.#fit(result, call, 'tools/call').result };
    return isRecord(error) ? { ...task, error: this.#boundedError(error, call) } : task;
  }

  /** A result that is no tool's: where the engine put an error result in its place, that is an error here. */
  #other(message: Message, answer: Answer<RecordOf<unknown>>): Message {
    if (answer.outcome !== 'replaced-by-error' && answer.outcome !== 'failed-closed') {
      return { ...message, result: answer.result };
    }
    // In report-only mode the result is the one that came.
    if (answer.result === message.result) return message;
    return {
      jsonrpc: '2.0',
      id: message.id,
      error: { code: INTERNAL_ERROR, message: textOf(answer.result) },
    } as Message;
  }

  #error(message: Message, call: Call): Message {
    return { ...message, error: this.#boundedError(message.error as RecordOf<unknown>, call) };
  }

  /** An error passes as a tool's error would, and comes back as what it was. */
  #boundedError(error: RecordOf<unknown>, call: Call): RecordOf<unknown> {
    const { message, data } = error;
    const asResult = {
      content: [{ type: 'text', text: typeof message === 'string' ? message : '' }],
      ...(data === undefined ? {} : { structuredContent: data }),
      isError: true,
    };
    const { result, outcome } = this.#fit<RecordOf<unknown>>(asResult, { ...call, outputSchema: 'none' }, 'error');
    if (outcome === 'unchanged' || outcome === 'compacted' || result === asResult) return error;
    const { data: _, ...rest } = error;
    const kept = result['structuredContent'];
    return { ...rest, message: textOf(result), ...(kept === undefined ? {} : { data: kept }) };
  }

  /** Something of ours threw: never the raw message, and never nothing. */
  #broken(message: Message, error: unknown): Message {
    this.#log(`result-budget: the boundary threw, an error result is sent: ${error}`);
    const constant = this.#boundary.host.failureResult('trap', [], {});
    return { jsonrpc: '2.0', id: message.id, result: JSON.parse(constant ?? '{}') } as Message;
  }

  /** The revision, unless the engine knows none of that name: then its newest holds. */
  #known(revision: string | undefined): string | undefined {
    if (revision === undefined || isKnown(this.#boundary, revision)) return revision;
    return undefined;
  }
}

function isKnown(boundary: Boundary, revision: string): boolean {
  const { answer } = boundary.attempt('{}', { revision });
  return answer.failure?.code !== 'unknown-name';
}

/** The texts of a result, as one. */
function textOf(result: RecordOf<unknown>): string {
  const blocks = Array.isArray(result['content']) ? result['content'] : [];
  const texts = blocks.map((block: unknown) => (isRecord(block) ? block['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

const ATTACHED = new WeakMap<ServerLike, Link>();

/** JSON-RPC's own. */
const INTERNAL_ERROR = -32603;
