// The action that listens to a sandbox: what happens in it, as it happens. Says where a reader begins; what it is told is decided elsewhere.
import { type Position, positionIn } from '../../engine/events/event.js';
import type { Feed } from '../../engine/events/feed.js';
import { ActionProblem, onSandbox } from '../action.js';

/** Seconds after which it is worth while to ask again for a stream. */
const RETRY_AFTER = 5;

export const readingEvents = onSandbox<Feed, undefined>({
  id: 'events.read',
  method: 'GET',
  path: '/sandboxes/{s}/events',
  summary:
    'What happens in a sandbox, as it happens: entries, changes, resets; with Last-Event-ID from where a reader broke off',
  query: {
    lastEventId: {
      type: 'string',
      description: 'The id of the last event that was received, where no header Last-Event-ID can be sent.',
    },
  },
  replies: {
    200: {
      description:
        'Server-sent events of the types entry, changed, reset, dropped, made, lost and cut-off, each with an id and JSON as its data.',
      contentType: 'text/event-stream',
      schema: { type: 'string' },
    },
    503: {
      description:
        'As many listen as may, or the store of sandboxes cannot be used; Retry-After says when to try again.',
    },
  },
  run: async (sandbox, { query: { lastEventId = '' } }, { feeds }) => {
    const after = lastEventId === '' ? undefined : positionOf(lastEventId);
    if (after instanceof ActionProblem) return after;
    return feeds.open(sandbox, after) ?? tooMany(feeds.size);
  },
});

function positionOf(id: string): Position | ActionProblem {
  return (
    positionIn(id) ??
    new ActionProblem(
      400,
      'No id of an event',
      `${JSON.stringify(id.slice(0, 100))} is none: send the id of the last event as it was received, or leave it out.`,
    )
  );
}

function tooMany(open: number): ActionProblem {
  return new ActionProblem(
    503,
    'Too many listen',
    `${open} listen to events of this server, and no more may; try again in ${RETRY_AFTER} seconds.`,
    undefined,
    undefined,
    RETRY_AFTER,
  );
}
