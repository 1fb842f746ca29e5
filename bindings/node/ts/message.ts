// JSON-RPC messages, and where the protocol's revisions carry what a call needs.

/** An object of unknown members. */
export type RecordOf<T> = Record<string, T>;

/** As JSON-RPC has it. */
export type RequestId = string | number;

/** Any JSON-RPC message. */
export interface Message {
  jsonrpc: '2.0';
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** A transport of either SDK, as far as it is used here. */
export interface Transport {
  start(): Promise<void>;
  send(message: Message, options?: unknown): Promise<void>;
  onmessage?: ((message: Message, extra?: unknown) => void) | undefined;
}

/** What a request tells of its call. */
export interface Told {
  tool?: string;
  revision?: string;
  client?: string;
  /** As the client gave it: the engine reads it. */
  maxBytes?: unknown;
  maxTokens?: unknown;
  arguments?: RecordOf<unknown>;
}

/** Reads a request of any revision. */
export function describe(message: Message, extra: unknown): Told {
  const params = isRecord(message.params) ? message.params : {};
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const told: Told = {};
  const revision = text(meta['io.modelcontextprotocol/protocolVersion']) ?? ofHeaders(extra);
  if (revision !== undefined) told.revision = revision;
  const info = message.method === 'initialize' ? params['clientInfo'] : meta['io.modelcontextprotocol/clientInfo'];
  const client = isRecord(info) ? text(info['name']) : undefined;
  if (client !== undefined) told.client = client;
  if (message.method !== 'tools/call') return told;
  const tool = text(params['name']);
  if (tool !== undefined) told.tool = tool;
  if (isRecord(params['arguments'])) told.arguments = params['arguments'];
  if (meta[MAX_BYTES] !== undefined) told.maxBytes = meta[MAX_BYTES];
  if (meta[MAX_TOKENS] !== undefined) told.maxTokens = meta[MAX_TOKENS];
  return told;
}

/** What HTTP tells where the message does not: a header, in the ways of both SDKs. */
function ofHeaders(extra: unknown): string | undefined {
  if (!isRecord(extra)) return undefined;
  const { request, requestInfo } = extra;
  if (request instanceof Request) return request.headers.get(HEADER) ?? undefined;
  const headers = isRecord(requestInfo) ? requestInfo['headers'] : undefined;
  if (headers instanceof Headers) return headers.get(HEADER) ?? undefined;
  return isRecord(headers) ? text(headers[HEADER]) : undefined;
}

/** Whether `value` is an object with members. */
export function isRecord(value: unknown): value is RecordOf<unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Where a client asks for a budget in one call. */
export const MAX_BYTES = 'dev.result-budget/max_bytes';
export const MAX_TOKENS = 'dev.result-budget/max_tokens';
const HEADER = 'mcp-protocol-version';
