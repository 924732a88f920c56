// A session of this process as a replica: several of them on one store act like several servers without sockets.

import { formOf } from '../../../server/domain/form/form.js';
import type { Request } from '../../../server/engine/request/request.js';
import type { SandboxStore } from '../../../server/engine/session/cached-sandbox.js';
import type { Session } from '../../../server/engine/session/session.js';
import { StoreError } from '../../../server/engine/store.js';
import { routedRequest } from '../../engine/codec/walk.js';
import { opened, sessionWith } from '../../support/worlds/sessions.js';
import { cellsIn, kindOf, readings, requestOf, writtenOf } from './asked.js';
import { type Client, NoResponse, Refused, type Replica } from './replica.js';

export function sessionReplica(name: string, store: SandboxStore): Replica {
  const session = sessionWith({ store, readings, journal: { entries: 20_000, bytes: 16 * 1024 * 1024 } });
  return { name, up: async () => {}, client: () => clientOf(session) };
}

function clientOf(session: Session): Client {
  const latest = (name: string) => answered(async () => (await session.latest(name)) ?? (await opened(session, name)));
  return {
    change: (sandbox, asked, tag) =>
      answered(async () => {
        const { path, body } = requestOf(asked, tag);
        const performed = await session.respond(sandbox, posted(path, body));
        if (performed === undefined) throw new Error(`there is no sandbox ${sandbox}`);
        const { status, body: text } = performed.response;
        return { kind: kindOf(status, String(text)), entry: performed.entry };
      }),
    cells: async name => cellsIn(formOf((await latest(name)).state.world)),
    version: async name => (await latest(name)).version,
    latest: async name => (await latest(name)).journal.lastId,
    entries: async (name, since) => (await latest(name)).journal.entries({ since }).map(writtenOf),
    close: () => {},
  };
}

function posted(path: string, value: unknown): Request {
  const body = { kind: 'json', value, text: JSON.stringify(value) } as const;
  const url = `/rest/cwxapiextension/latest${path}`;
  return routedRequest({ method: 'POST', url, credentials: { kind: 'none' }, contentType: 'application/json', body });
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw error.failure === 'away' ? new NoResponse(error.message) : new Refused(error.message);
  }
}
