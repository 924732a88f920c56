// Requests and sessions for what is measured inside one process, without HTTP. Knows no server.

import { worldFrom } from '../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../server/domain/form/form-shapes.js';
import type { World } from '../../server/domain/world/world.js';
import { parseQuery, type Request } from '../../server/engine/request/request.js';
import type { SandboxStore } from '../../server/engine/session/cached-sandbox.js';
import { Session, type SessionSettings } from '../../server/engine/session/session.js';
import { canonicalPrefix, locate } from '../../server/operations/address.js';
import { endpoints } from '../../server/operations/catalog/bindings.js';
import type { Family } from '../../server/operations/operation.js';
import { memoryStore } from '../../server/store/memory.js';

/** A session as the server makes it by default, on a world of its own. */
export function sessionOn(world: World): Session {
  return new Session(sessionSettings(world, memoryStore()));
}

export function sessionSettings(world: World, store: SandboxStore): SessionSettings {
  return {
    store,
    origin: { scenario: 'bench', world, readings: {} },
    journal: { entries: 1000, bytes: 16 * 2 ** 20 },
    maxSandboxes: 100_000,
    sandboxTtl: 3_600_000,
    createOnUse: true,
    machineTime: () => new Date(),
  };
}

/** One POST to an operation, as the admin. */
export function post(path: string, query: Record<string, string>, json?: unknown, family: Family = 'wiki'): Request {
  const url = `${canonicalPrefix(family)}${path}`;
  const address = locate(url);
  const endpoint = endpoints.find(other => other.path === path);
  if (address === undefined || endpoint === undefined) throw new Error(`there is no operation at ${url}`);
  const search = new URLSearchParams(query).toString();
  return {
    method: 'POST',
    url: search === '' ? url : `${url}?${search}`,
    address,
    endpoint,
    params: {},
    query: parseQuery(search),
    credentials: { kind: 'basic', user: 'admin', password: 'admin' },
    contentType: 'application/json',
    body: json === undefined ? { kind: 'absent' } : { kind: 'json', value: json, text: JSON.stringify(json) },
  };
}

export interface Size {
  readonly users: number;
  /** Of the users, how many are members of the group `big`. */
  readonly members: number;
  /** All in the space `big`. */
  readonly pages: number;
  /** Of every page. */
  readonly body?: string;
}

export function worldOf({ users, members, pages, body = 'x'.repeat(100) }: Size): World {
  const names = Array.from({ length: users }, (_, i) => userName(i));
  const form: SparseWorldForm = {
    users: {
      admin: { admin: true, password: 'admin' },
      ...Object.fromEntries(names.map(name => [name, {}])),
    },
    groups: { big: names.slice(0, members) },
    spaces: { big: { admins: ['admin'] } },
    filters: { 1: { owner: 'admin', sharedWith: 'everyone' } },
    pages: Object.fromEntries(
      Array.from({ length: pages }, (_, i) => [String(i + 1), { space: 'big', title: `Page ${i + 1}`, body }]),
    ),
  };
  return worldFrom(form);
}

export function userName(i: number): string {
  return `user-${String(i).padStart(7, '0')}`;
}
