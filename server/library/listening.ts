// The events of a sandbox as a program reads them: the same that the control API streams. Knows no transport.
import type { SandboxEvent } from '../engine/events/event.js';
import type { Feed } from '../engine/events/feed.js';
import type { Feeds } from '../engine/events/feeds.js';
import type { Sandbox } from '../engine/sandbox/sandbox.js';
import { FakeError } from './fake-error.js';

/** Listens from now on, whether or not anybody reads yet. `live`: the sandbox, once it is there. Ends quietly with the signal. */
export function listening(
  feeds: Feeds,
  live: () => Promise<Sandbox>,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<SandboxEvent> {
  const opened = live().then(sandbox => opening(feeds, sandbox, signal));
  opened.catch(() => {}); // who reads is told
  return reading(opened);
}

function opening(feeds: Feeds, sandbox: Sandbox, signal: AbortSignal | undefined): Feed {
  const feed = feeds.open(sandbox);
  if (feed === undefined)
    throw new FakeError('The events cannot be read', [
      { message: `${feeds.size} listen to events of this fake, and no more may: end one of them first.` },
    ]);
  const close = () => feed.close();
  signal?.addEventListener('abort', close);
  feed.whenOver(() => signal?.removeEventListener('abort', close));
  if (signal?.aborted) close();
  return feed;
}

async function* reading(opened: Promise<Feed>): AsyncGenerator<SandboxEvent, void, undefined> {
  yield* await opened;
}
