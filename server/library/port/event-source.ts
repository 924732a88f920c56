// Reads server-sent events (HTML standard, 9.2) of a fake elsewhere, and resumes after a broken connection.
import type { Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { connectionFailure } from '../../derive/text/connection-failure.js';
import type { SandboxEvent } from '../../engine/events/event.js';
import { Outgoing } from '../../outgoing/outgoing.js';
import type { TlsOptions } from '../../outgoing/tls-options.js';
import { FakeError } from './fake-error.js';

/** Maximum consecutive failures of a connection without an event. */
const MAX_FAILURES = 10;
const FIRST_RETRY_MS = 200;
/** Milliseconds without an event or a keep-alive comment. */
const PATIENCE_MS = 60_000;
/** Characters of an event. */
const MAX_EVENT = 16 * 1024 * 1024;

/** The events of a stream from now on, each once. Ends with the signal, and with the stream's last event. */
export function eventsAt(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  opened: () => void = () => {},
  tls?: TlsOptions,
): AsyncIterableIterator<SandboxEvent> {
  const outgoing = new Outgoing(new URL(url), { tls, patience: PATIENCE_MS, mayStream: true });
  const connect = (lastId: string) => connected(outgoing, url, headers, lastId, signal);
  const first = connect('');
  first.then(opened, () => {}); // the reader gets it
  return reading(url, connect, first, signal);
}

async function* reading(
  url: string,
  connect: (lastId: string) => Promise<Readable | undefined>,
  first: Promise<Readable | undefined>,
  signal: AbortSignal | undefined,
): AsyncGenerator<SandboxEvent, void, undefined> {
  let lastId = '';
  let failures = 0;
  for (let stream = await first; stream !== undefined; ) {
    try {
      for await (const event of parsed(stream)) {
        lastId = event.id === '' ? lastId : event.id;
        failures = 0;
        if (!('type' in event)) continue;
        yield event;
        if (event.type === 'cut-off') return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      failures += 1;
      if (failures > MAX_FAILURES) throw lost(url, error as Error);
    } finally {
      stream.destroy();
    }
    if (signal?.aborted) return;
    await later(FIRST_RETRY_MS * 2 ** Math.min(failures, 5), undefined, signal && { signal }).catch(() => {});
    stream = await connect(lastId);
  }
}

/** The open stream; `undefined` if the signal came first. */
async function connected(
  outgoing: Outgoing,
  url: string,
  headers: Readonly<Record<string, string>>,
  lastId: string,
  signal: AbortSignal | undefined,
): Promise<Readable | undefined> {
  const after = lastId === '' ? {} : { 'Last-Event-ID': lastId };
  const { pathname, search } = new URL(url);
  const asked = { ...headers, ...after, Accept: 'text/event-stream' };
  try {
    const { status, body } = await outgoing.request({ path: pathname + search, headers: asked, signal });
    if (status === 200) return body;
    body.destroy();
    throw new Error(`the server responds with ${status}`);
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw lost(url, error as Error);
  }
}

/** An event for each block with data; otherwise the id of the block. */
async function* parsed(stream: Readable): AsyncGenerator<SandboxEvent | { readonly id: string }> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > MAX_EVENT) throw new Error(`an event has more than ${MAX_EVENT} characters`);
    for (const block of blocks) yield eventIn(block);
  }
}

function eventIn(block: string): SandboxEvent | { readonly id: string } {
  const field = (name: string) =>
    block
      .split('\n')
      .find(line => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  const id = field('id') ?? '';
  return data === undefined ? { id } : ({ id, type: field('event'), data: JSON.parse(data) } as SandboxEvent); // as the fake wrote it
}

function lost(url: string, error: Error): FakeError {
  const message = `${url}: ${connectionFailure(error)}.`;
  return new FakeError('The events cannot be read', [{ message }], { cause: error });
}
