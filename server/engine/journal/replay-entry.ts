// The request of a journal entry, made again without secrets, and performed on the state on which it was decided. Pure: nothing happens.
// Knows no HTTP and routes nothing: the entry says where the request led.
import { ANONYMOUS } from '../../domain/world.js';
import { locate, sandboxIn } from '../../operations/address.js';
import { endpoints } from '../../operations/bindings.js';
import { layReadings, type Readings, type SomeReadings } from '../../operations/gaps.js';
import { type Outcome, performAmongFaults } from '../faults/faulty-request.js';
import { decodes } from '../request/percent.js';
import { parseReadings } from '../request/readings.js';
import { type Body, type Credentials, noQuery, parseQuery, type Request } from '../request/request.js';
import type { State } from '../sandbox/state.js';
import type { JournalEntry } from './journal-entry.js';
import { redactWorld } from './redacted.js';
import { HIDDEN } from './secrets.js';

/** The request as the engine took it. */
export function requestOf(entry: JournalEntry): Request {
  const { method, url, endpoint: at, params = {}, readings } = entry;
  const [path = ''] = url.split('?', 1);
  const address = locate(path);
  const endpoint = endpoints.find(known => known.path === at && known.family === address?.family);
  const search = url.slice(path.length + 1);
  return {
    method,
    url,
    address,
    endpoint,
    params: endpoint === undefined && !decodes(path) ? undefined : params, // as the routes found
    query: search === '' ? noQuery : parseQuery(search),
    credentials: credentialsOf(entry),
    contentType: entry.request.contentType,
    body: bodyOf(entry),
    readings,
  };
}

/** What would come of the request of an entry on a state, at the time of the entry. `readings` lie over all others. */
export function performAgain(
  entry: JournalEntry,
  state: State,
  server: Readings,
  readings: SomeReadings = {},
): Outcome {
  const request = requestOf(entry);
  const chosen = request.readings === undefined ? { readings: {} } : parseReadings(request.readings);
  const isUnknown = 'problem' in chosen; // then it is refused for that, whatever else is chosen
  const own = isUnknown ? {} : chosen.readings;
  const context = {
    world: entry.request.body?.includes(HIDDEN) ? redactWorld(state.world) : state.world, // a text is looked for as it was kept
    readings: layReadings(server, state.origin.readings, state.readings, own, readings),
    now: entry.at,
  };
  return performAmongFaults({ ...request, readings: isUnknown ? request.readings : undefined }, context, state);
}

/** The path and query of an entry, without the sandbox that the path may name. */
export function urlWithin({ url }: Pick<JournalEntry, 'url'>): string {
  const [path = ''] = url.split('?', 1);
  return `${sandboxIn(path).path}${url.slice(path.length)}`;
}

function credentialsOf({ caller, unasked, unproved }: JournalEntry): Credentials {
  if (unproved !== undefined) return { kind: 'unproved', problem: unproved };
  const user = caller ?? unasked;
  return user === undefined || user === ANONYMOUS ? { kind: 'none' } : { kind: 'proved', user };
}

function bodyOf({ request: { body: text, unread } }: JournalEntry): Body {
  if (unread?.kind === 'not-json') return { ...unread, text: text ?? '' };
  if (unread !== undefined) return unread;
  return text === undefined ? { kind: 'absent' } : { kind: 'json', value: JSON.parse(text), text };
}
