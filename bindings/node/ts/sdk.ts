// Which servers a boundary can be attached to.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { ResultBudgetError } from './error.js';
import type { Transport } from './message.js';

/** The protocol's end inside a server of either SDK. */
export interface ServerLike {
  connect(transport: Transport): Promise<void>;
  transport?: Transport | undefined;
}

/** The SDKs, each with the major version that is known here. */
const SDKS = { '@modelcontextprotocol/server': 2, '@modelcontextprotocol/sdk': 1 } as const;

/** The low-level server inside `server`, which may itself be one. */
export function checkedServer(server: object): ServerLike {
  const inner = isObject(server) ? (server as { server?: unknown }).server : undefined;
  const low = isServer(inner) ? inner : server;
  if (!isServer(low)) {
    const name = isObject(server) ? (server.constructor?.name ?? 'no class') : typeof server;
    throw new ResultBudgetError({
      code: 'unsupported-server',
      message: `attach takes an \`McpServer\` or \`Server\` of ${supported()}, got \`${name}\` (the caller is at fault)`,
    });
  }
  // Only the newer SDK has this.
  const name = 'projectCallToolResult' in low ? '@modelcontextprotocol/server' : '@modelcontextprotocol/sdk';
  const version = versionOf(name);
  if (version !== undefined && Number.parseInt(version, 10) !== SDKS[name]) {
    throw new ResultBudgetError({
      code: 'unsupported-server',
      message: `${name} ${version} is not known here, allowed: ${supported()}`,
    });
  }
  return low;
}

function isServer(value: unknown): value is ServerLike {
  if (!isObject(value)) return false;
  const { connect, setRequestHandler } = value as Record<string, unknown>;
  // Of the two classes only the low-level one answers requests itself.
  return typeof connect === 'function' && typeof setRequestHandler === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function supported(): string {
  return Object.entries(SDKS)
    .map(([name, major]) => `${name} ${major}`)
    .join(', ');
}

/** The version of the SDK that the program finds; nothing where it finds none. */
function versionOf(name: string): string | undefined {
  for (const start of [process.argv[1], path.join(process.cwd(), 'x')]) {
    if (start === undefined) continue;
    for (const folder of createRequire(path.resolve(start)).resolve.paths(name) ?? []) {
      try {
        const manifest = JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8'));
        if (typeof manifest.version === 'string') return manifest.version;
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}
