// Sessions on the small team for tests of the engine, requests that change a group, and a store whose responses come late.

import { formOf } from '../../../server/domain/form/form.js';
import type { Request } from '../../../server/engine/request/request.js';
import { noQuery } from '../../../server/engine/request/request.js';
import type { Checkpoint, Origin, SandboxRecord } from '../../../server/engine/sandbox/state.js';
import type { CachedSandbox, SandboxStore } from '../../../server/engine/session/cached-sandbox.js';
import { Session, type SessionSettings } from '../../../server/engine/session/session.js';
import { StoreError } from '../../../server/engine/store.js';
import { locate } from '../../../server/operations/address.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
import { memoryStore } from '../../../server/store/memory.js';
import { logStore } from '../redis/log-store.js';
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

export function twoSessions(settings: Partial<SessionSettings> = {}) {
  const store = emptyStore();
  const session = () => sessionWith({ store: shared(store), ...settings });
  return { store, one: session(), other: session() };
}

const changing =
  (verb: 'add' | 'remove') =>
  (user: string, group = 'team-members'): Request => {
    const url = `/rest/cwxapiextension/latest/groups/${verb}-users`;
    const address = locate(url);
    const endpoint = endpoints.find(({ path }) => path === `/groups/${verb}-users`);
    const json = { group, users: [user] };
    if (address === undefined || endpoint === undefined) throw new Error('no such endpoint');
    return {
      method: 'POST',
      url,
      address,
      endpoint,
      params: {},
      query: noQuery,
      credentials: { kind: 'none' },
      contentType: 'application/json',
      body: { kind: 'json', value: json, text: JSON.stringify(json) },
    };
  };
export const adding = changing('add');
export const removing = changing('remove');

/** Adds a member in even turns and removes it in odd ones, so that each is a change. */
export const toggling = (turn: number): Request => (turn % 2 === 0 ? adding : removing)('alice', 'customers');

export async function opened(session: Session, name: string): Promise<CachedSandbox> {
  const sandbox = await session.open(name);
  if (sandbox === undefined) throw new Error(`no sandbox ${name}`);
  return sandbox;
}

export const members = (sandbox: CachedSandbox | undefined, group = 'team-members') =>
  sandbox && formOf(sandbox.state.world).groups[group];

export const emptyStore = () => logStore<Checkpoint, SandboxRecord>();

/** A store that several sessions use at once, as servers do that share one. */
export function shared(store: SandboxStore = emptyStore()): SandboxStore {
  return through(store, async act => act());
}

/** A store whose responses come late and out of step, so that decisions are overtaken. */
export function slow(store: SandboxStore = emptyStore()): SandboxStore {
  let turn = 0;
  const later = () => {
    turn += 1;
    return new Promise(resolve => setTimeout(resolve, (turn * 7) % 5));
  };
  return through(store, async act => {
    await later();
    const outcome = await act();
    await later();
    return outcome;
  });
}

/** A store that rejects everything while `isAway`. */
export function leaving(store: SandboxStore = emptyStore()) {
  const gone = {
    isAway: false,
    store: through(store, async act => {
      if (gone.isAway) throw new StoreError('away', 'the store is away');
      return act();
    }),
  };
  return gone;
}

/** Asks a store by way of something else, which is told what to do. */
export function through(store: SandboxStore, way: <T>(act: () => Promise<T>) => Promise<T>): SandboxStore {
  return {
    name: 'shared',
    isShared: true,
    get trouble() {
      return store.trouble;
    },
    now: () => store.now(),
    ready: () => way(() => store.ready()),
    create: (...given) => way(() => store.create(...given)),
    append: (...given) => way(() => store.append(...given)),
    since: (...given) => way(() => store.since(...given)),
    compact: (...given) => way(() => store.compact(...given)),
    drop: (...given) => way(() => store.drop(...given)),
    list: () => way(() => store.list()),
    watch: (...given) => store.watch(...given),
    close: () => store.close(),
  };
}
