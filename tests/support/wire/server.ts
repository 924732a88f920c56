// A server of its own for a test file, in this process, on a free port; and requests that go out as they are written.
import { once } from 'node:events';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import { type Log, silentLog } from '../../../server/engine/log.js';
import { type Running, start } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type FlagValues, settingsFrom } from '../../../server/settings/settings.js';
import { holdToDocument } from './control-responses.js';

/** Starts a server as `cwx-fake serve` would with these flags, on a free port. */
export async function serving(scenario?: string, flags: FlagValues = {}, log: Log = silentLog): Promise<Running> {
  const running = await start(settingsFrom(scenario, { port: '0', ...flags }), log);
  if (isProblems(running)) throw new Error(JSON.stringify(running.problems));
  return running;
}

export function useServer(scenario?: string, flags: FlagValues = {}, log: Log = silentLog): Running {
  const server = {} as Running; // complete before the first test
  before(async () => Object.assign(server, await serving(scenario, flags, log)));
  after(() => server.stop?.());
  return server;
}

/** Listens on a free port of loopback, and resolves with the URL. */
export async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a port, not a pipe
  return `http://127.0.0.1:${port}`;
}

export async function sandboxNames(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { json } = await send(`${url}/_fake/v1/sandboxes`, { headers });
  return (json as { sandboxes: ReadonlyArray<{ name: string }> }).sandboxes.map(({ name }) => name).sort();
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export async function send(url: string, init: RequestInit = {}): Promise<RawResponse> {
  const response = await fetch(url, init);
  const text = await response.text();
  const json = parsed(text);
  const { status, headers } = response;
  holdToDocument(init.method ?? 'GET', url, { status, contentType: headers.get('content-type'), json });
  return { status, headers, text, json };
}

/** Sends a JSON body, or none. `as`: a user whose password is its name, or that has none. */
export function sendJson(
  url: string,
  method: string,
  body?: unknown,
  as?: string,
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  const authorization = as === undefined ? {} : { authorization: basic(as, as) };
  const carrying = body === undefined ? {} : { 'content-type': 'application/json' };
  return send(url, {
    method,
    headers: { ...carrying, ...authorization, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

export async function worldIn({ url }: { readonly url: string }, sandbox = 'default'): Promise<WorldForm> {
  return (await send(`${url}/_fake/v1/sandboxes/${sandbox}/world`)).json as WorldForm; // as documented
}

export async function entriesIn({ url }: { readonly url: string }, sandbox = 'default'): Promise<JournalEntry[]> {
  const { json } = await send(`${url}/_fake/v1/sandboxes/${sandbox}/journal`);
  return (json as { entries: JournalEntry[] }).entries; // as documented
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Sends bytes as they are over a connection of their own, and gives what came back until it closed. */
export function sendRaw(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', reject);
    socket.setTimeout(100_000, () => socket.destroy(new Error('no response')));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not every response is JSON; a test that expects one compares it
  }
}
