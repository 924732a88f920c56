// Sessions on the small team for tests of the engine, requests that change a group, and a store whose answers come late.
import { formOf } from '../../server/domain/form.js';
import type { Request } from '../../server/engine/request.js';
import { noQuery } from '../../server/engine/request.js';
import type { Sandbox } from '../../server/engine/sandbox.js';
import { Session, type SessionSettings } from '../../server/engine/session.js';
import type { Origin } from '../../server/engine/state.js';
import type { Store } from '../../server/engine/store.js';
import { locate } from '../../server/operations/address.js';
import { endpoints } from '../../server/operations/bindings.js';
import { memoryStore } from '../../server/store/memory.js';
import { smallTeam } from './ask.js';

export const origin: Origin = { scenario: 'small-team', world: smallTeam, readings: {}, clock: '2026-01-05T09:00:00Z' };

export function sessionWith(settings: Partial<SessionSettings> = {}): Session {
  return new Session({
    store: memoryStore(),
    origin,
    journal: { entries: 100, bytes: 1024 * 1024 },
    maxSandboxes: 1000,
    sandboxTtl: 60_000,
    createOnUse: true,
    machineTime: () => new Date('2026-11-20T00:00:00Z'),
    ...settings,
  });
}

export function adding(user: string, group = 'team-members'): Request {
  const url = '/rest/cwxapiextension/latest/groups/add-users';
  const address = locate(url);
  const endpoint = endpoints.find(({ path }) => path === '/groups/add-users');
  const json = { group, users: [user] };
  if (address === undefined || endpoint === undefined) throw new Error('no such endpoint');
  const body = { kind: 'json', value: json, text: JSON.stringify(json) } as const;
  return {
    method: 'POST',
    url,
    address,
    endpoint,
    params: {},
    query: noQuery,
    credentials: { kind: 'none' },
    contentType: 'application/json',
    body,
  };
}

export async function opened(session: Session, name: string): Promise<Sandbox> {
  const sandbox = await session.open(name);
  if (sandbox === undefined) throw new Error(`no sandbox ${name}`);
  return sandbox;
}

export const members = (sandbox: Sandbox | undefined, group = 'team-members') =>
  sandbox && formOf(sandbox.state.world).groups[group];

/** Adds a member in even turns and removes it in odd ones, so that each is a change. */
export function toggling(turn: number): Request {
  const request = adding('alice', 'customers');
  if (turn % 2 === 0) return request;
  const url = '/rest/cwxapiextension/latest/groups/remove-users';
  const endpoint = endpoints.find(({ path }) => path === '/groups/remove-users');
  return endpoint === undefined ? request : { ...request, url, endpoint };
}

/** A store whose answers come late and out of step, so that decisions are overtaken. */
export function slow<B, E>(store: Store<B, E>): Store<B, E> {
  let turn = 0;
  const later = async () => {
    turn += 1;
    await new Promise(resolve => setTimeout(resolve, (turn * 7) % 5));
  };
  return {
    name: 'slow',
    create: async (sandbox, base) => {
      await later();
      return store.create(sandbox, base);
    },
    append: async (sandbox, after, entry) => {
      await later();
      const outcome = await store.append(sandbox, after, entry);
      await later();
      return outcome;
    },
    since: async (sandbox, version) => {
      await later();
      return store.since(sandbox, version);
    },
    compact: (sandbox, version, base) => store.compact(sandbox, version, base),
    drop: async sandbox => {
      await later();
      return store.drop(sandbox);
    },
    watch: (sandbox, listener) => store.watch(sandbox, listener),
  };
}
