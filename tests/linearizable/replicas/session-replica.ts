// A session of this process as a replica: several of them on one store act like several servers without sockets.

import { formOf } from '../../../server/domain/form/form.js';
import { noQuery, parseQuery, type Request } from '../../../server/engine/request/request.js';
import type { SandboxStore } from '../../../server/engine/session/cached-sandbox.js';
import type { Session } from '../../../server/engine/session/session.js';
import { StoreError } from '../../../server/engine/store.js';
import { locate } from '../../../server/operations/address.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
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

function posted(path: string, json: unknown): Request {
  const url = `/rest/cwxapiextension/latest${path}`;
  const [plain = '', query] = path.split('?');
  const address = locate(url.split('?')[0] ?? '');
  const endpoint = endpoints.find(one => one.path === plain);
  if (address === undefined || endpoint === undefined) throw new Error(`there is no ${plain}`);
  return {
    method: 'POST',
    url,
    address,
    endpoint,
    params: {},
    query: query === undefined ? noQuery : parseQuery(query),
    credentials: { kind: 'none' },
    contentType: 'application/json',
    body: { kind: 'json', value: json, text: JSON.stringify(json) },
  };
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw error.failure === 'away' ? new NoResponse(error.message) : new Refused(error.message);
  }
}
