// Sends requests to a server over one persistent connection, and knows what a missing response means.
import { Agent, type IncomingMessage, request } from 'node:http';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import { cellsIn, kindOf, requestOf, writtenOf } from './asked.js';
import { type Client, NoResponse, NotAsked, Refused } from './replica.js';

interface RawResponse {
  readonly status: number;
  readonly id: string;
  readonly text: string;
}

/** Longer than the server itself waits for its store. */
const PATIENCE_MS = 30_000;
/** Refusals sent before anything was done. All others leave the outcome unknown. */
const BUSY = /changed n times while one change was decided/;

/** `url`: the address of the server, without a slash at the end. */
export function httpClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    respond(agent, method, `${url}${path}`, body, headers);
  const control = async <T>(path: string): Promise<T> => {
    const { status, text } = await ask('GET', `/_fake/v1/sandboxes/${path}`);
    if (status !== 200) throw new Error(`the response has status ${status}: ${text}`);
    return JSON.parse(text) as T; // as the document of the control API says
  };
  const journal = async (path: string) => (await control<{ entries: JournalEntry[] }>(path)).entries;
  return {
    change: async (sandbox, asked, tag) => {
      const { path, body } = requestOf(asked, tag);
      const below = `/rest/cwxapiextension/latest${path}`;
      const isInPath = Number(tag) % 2 === 0; // both ways to name a sandbox
      const { status, id, text } = isInPath
        ? await ask('POST', `/~${sandbox}${below}`, body)
        : await ask('POST', below, body, { 'X-Fake-Sandbox': sandbox });
      const entry = Number(id.slice(sandbox.length + 1)); // the response is named after its entry
      if (id !== `${sandbox}.${entry}`) throw new Error(`the response of status ${status} is named ${id}: ${text}`);
      return { kind: kindOf(status, text), entry };
    },
    cells: async sandbox => cellsIn(await control<WorldForm>(`${sandbox}/world`)),
    version: async sandbox => (await control<{ version: number }>(sandbox)).version,
    latest: async sandbox => (await journal(`${sandbox}/journal?limit=1`)).at(-1)?.id ?? 0,
    entries: async (sandbox, since) => (await journal(`${sandbox}/journal?since=${since}`)).map(writtenOf),
    close: () => agent.destroy(),
  };
}

function respond(
  agent: Agent,
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<RawResponse> {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const content =
    bytes === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const lost = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ECONNREFUSED' ? new NotAsked(error.message) : new NoResponse('connection lost'));
    const asked = request(url, { agent, method, headers: { ...headers, ...content } }, response => {
      response.once('error', lost);
      read(response, answered => {
        const why = answered.status === 503 ? reason(answered.text) : undefined;
        if (why === undefined) resolve(answered);
        else reject(BUSY.test(why) ? new Refused(`503 ${why}`) : new NoResponse(`503 ${why}`));
      });
    });
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new NoResponse(`no response in ${PATIENCE_MS} ms`)));
    asked.once('error', error => (error instanceof NoResponse ? reject(error) : lost(error)));
    asked.end(bytes);
  });
}

function read(response: IncomingMessage, done: (answered: RawResponse) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.once('end', () => {
    const text = Buffer.concat(chunks).toString();
    done({ status: response.statusCode ?? 0, id: String(response.headers['x-request-id']), text });
  });
}

/** The message of a refusal about the store, without its variable parts. */
function reason(text: string): string {
  const body = JSON.parse(text) as { readonly message?: string; readonly detail?: string }; // either error body of the product
  return (body.message ?? body.detail ?? '').replace(/\d+/g, 'n').slice(0, 100);
}
