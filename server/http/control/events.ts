// What happens in a sandbox, as it happens: a stream of server-sent events. Says where a reader begins; what it is told is decided elsewhere.
import { type Position, positionIn } from '../../engine/events/event.js';
import { type Call, type ControlAnswer, type ControlEndpoint, problem } from './endpoint.js';
import { streamEvents } from './event-stream.js';
import { noSandbox, sandboxOf } from './named.js';

/** Seconds after which it is worth while to ask again for a stream. */
const RETRY_AFTER = 5;

export const eventEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-events',
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
    handle: async (call, { session, feeds, streams, log, tally }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      if (!call.isOverSocket) return noSocket;
      const after = positionOf(call);
      if (after !== undefined && 'status' in after) return after;
      const feed = feeds.open(sandbox, after);
      if (feed === undefined) return tooMany(feeds.size);
      const { name } = sandbox;
      const { requestId } = call;
      const stream: ControlAnswer['stream'] = async response => {
        await streamEvents(response, feed, streams);
        if (!feed.isCutOff) return;
        tally.cutOff += 1;
        log.info('a reader of events did not keep up and was cut off', { sandbox: name, requestId });
      };
      return { status: 200, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' }, stream };
    },
  },
];

const noSocket = problem(
  501,
  'A stream needs a socket',
  'Within a process an answer must come to an end: read the events with the method events() of the sandbox.',
);

function positionOf({ headers, query }: Call): Position | ControlAnswer | undefined {
  const id = String(headers['last-event-id'] ?? query.lastEventId ?? '');
  if (id === '') return undefined;
  return (
    positionIn(id) ??
    problem(
      400,
      'No id of an event',
      `${JSON.stringify(id.slice(0, 100))} is none: send the id of the last event as it was received, or leave it out.`,
    )
  );
}

function tooMany(open: number): ControlAnswer {
  const answer = problem(
    503,
    'Too many listen',
    `${open} listen to events of this server, and no more may; try again in ${RETRY_AFTER} seconds.`,
  );
  return { ...answer, headers: { 'Retry-After': String(RETRY_AFTER) } };
}
