// The two interfaces of a fake, HTTP and the library: one request, and the whole state of sandboxes through either.
import { type OutgoingHttpHeaders, request } from 'node:http';
import type { Fake, Sandbox } from '../../server/index.js';
import { plainJournal } from '../support/wire/plain-journal.js';

export interface ApiResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** The body, parsed if it is JSON. */
  readonly json: unknown;
}

export interface Sent {
  readonly method: string;
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged as the body. */
  readonly raw?: string | Buffer;
  readonly headers?: OutgoingHttpHeaders;
}

/** Sends one request with exactly these headers, and waits for the end of its response. */
export function byHttp({ method, url, body, raw, headers = {} }: Sent): Promise<ApiResponse> {
  const data = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const carrying =
    data === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(data) };
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers: { ...carrying, ...headers } }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { 'content-type': contentType = '' } = response.headers;
        const json = contentType.includes('json') ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, contentType, text, json });
      });
    });
    if (data === undefined) {
      asking.removeHeader('Content-Length'); // absent is not empty
      asking.removeHeader('Transfer-Encoding');
    }
    asking.on('error', reject).end(data);
  });
}

/** The GET endpoints of a sandbox over HTTP, below its own path. */
export const reads = ['', 'world', 'readings', 'clock', 'faults', 'snapshots', 'diff', 'journal'] as const;

type State = Readonly<Record<string, unknown>>;

/** The whole state of one sandbox over HTTP, by endpoint; `undefined`: it does not exist. */
export async function seenOverHttp(fake: Fake, name: string): Promise<State | undefined> {
  const listed = (await (await fake.fetch('/_fake/v1/sandboxes')).json()) as { sandboxes: { name: string }[] };
  if (!listed.sandboxes.some(sandbox => sandbox.name === name)) return undefined;
  const seen = reads.map(async read => {
    const path = `/_fake/v1/sandboxes/${name}${read === '' ? '' : `/${read}`}`;
    return [read, await (await fake.fetch(path)).json()] as const;
  });
  return Object.fromEntries(await Promise.all(seen));
}

/** What the library tells of a sandbox; `undefined`: there is none. */
export async function seenByLibrary(fake: Fake, name: string): Promise<State | undefined> {
  if (!(await fake.sandboxes()).some(sandbox => sandbox.name === name)) return undefined;
  const sandbox = fake.sandbox(name);
  const leaks = name === 'default' ? { leaks: leaksIn(await fake.leaks()) } : {};
  return {
    '': await sandbox.describe(),
    world: await sandbox.world(),
    readings: await sandbox.readings.get(),
    clock: await clockOf(sandbox),
    faults: { faults: await sandbox.faults.list() },
    snapshots: { snapshots: await sandbox.snapshots() },
    diff: await sandbox.diff(),
    journal: { ...leaks, entries: await sandbox.journal(), evicted: (await sandbox.describe()).journal.evicted },
  };
}

export async function clockOf({ clock }: Sandbox): Promise<object> {
  return { now: await clock.now(), running: await clock.running() };
}

function leaksIn({ count, entries }: { readonly count: number; readonly entries: readonly { readonly id: number }[] }) {
  return { count, entries: entries.map(({ id }) => id) };
}

/**
 * A value as JSON, without what differs over time and between sandboxes: ids of requests, idle times, and its name,
 * which is replaced by S.
 */
export function plain(value: unknown, name: string): unknown {
  const text = plainJournal(JSON.stringify(value ?? null))
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/"idle":[\d.e-]+/g, '"idle":0')
    .replaceAll(name, 'S');
  return JSON.parse(text);
}
