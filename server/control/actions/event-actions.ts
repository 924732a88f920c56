// The action that streams the events of a sandbox.
import { positionIn } from '../../engine/events/event.js';
import type { Feed } from '../../engine/events/feed.js';
import { ActionProblem, onSandbox } from './action.js';

/** Retry-After in seconds. */
const RETRY_AFTER = 5;

export const readingEvents = onSandbox<Feed, undefined>({
  id: 'events.read',
  method: 'GET',
  path: '/sandboxes/{s}/events',
  createsNone: false, // a client listens before the first request, and again after a restart
  summary: 'Stream the events of a sandbox: entries, changes and resets. Last-Event-ID resumes a broken stream',
  query: {
    lastEventId: {
      type: 'string',
      description: 'The id of the last received event, for clients that cannot send Last-Event-ID.',
    },
  },
  replies: [
    {
      status: 200,
      when: 'Server-sent events of the types entry, changed, reset, dropped, made, lost and cut-off, each with an id and JSON as its data.',
      body: { type: 'string' },
      contentType: 'text/event-stream',
    },
    {
      status: 503,
      when: 'Too many streams are open, or the store of sandboxes is unavailable. Retry-After says when to try again.',
    },
  ],
  run: async (sandbox, { query: { lastEventId = '' } }, { feeds }) => {
    const after = lastEventId === '' ? undefined : (positionIn(lastEventId) ?? noPosition(lastEventId));
    return feeds.open(sandbox, after) ?? tooMany(feeds.size);
  },
});

function noPosition(id: string): never {
  const shown = JSON.stringify(id.slice(0, 100));
  const detail = `${shown} is not an event id: send the id of the last received event, or omit it.`;
  throw new ActionProblem(400, 'Invalid event id', detail);
}

function tooMany(open: number): never {
  throw new ActionProblem(
    503,
    'Too many streams',
    `This server has ${open} event streams open, which is the limit; try again in ${RETRY_AFTER} seconds.`,
    undefined,
    undefined,
    RETRY_AFTER,
  );
}
