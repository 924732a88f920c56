// Performs the request of a journal entry again on the state it was decided on. Pure; the entry says where the request was routed.
import { ANONYMOUS } from '../../domain/world/world.js';
import { isResourceFamily, locate, locateResource, sandboxIn } from '../../operations/address.js';
import { type AnyPath, endpoints, nothingThere, resourceEndpoints } from '../../operations/catalog/bindings.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { chosenReadings, type ReadingChoice } from '../../operations/gaps/profiles.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { redactWorld } from '../journal/redacted-state.js';
import { decodes } from '../percent.js';
import { parseReadings } from '../request/readings.js';
import { type Body, type Credentials, noQuery, parseQuery, type Request } from '../request/request.js';
import { type RequestOutcome, runAmongFaults } from '../sandbox/decide-request.js';
import type { State } from '../sandbox/state.js';
import { HIDDEN } from '../secrets.js';

/** The request as the engine got it. */
export function journaledRequest(entry: JournalEntry): Request {
  const { method, url, endpoint: at, params = {}, readings } = entry;
  const [path = ''] = url.split('?', 1);
  const address = entry.base === undefined ? locate(path) : locateResource(path);
  const endpoint = at === undefined ? undefined : endpointAt(at, address?.family);
  const search = url.slice(path.length + 1);
  return {
    method,
    url,
    address,
    endpoint,
    params: endpoint === undefined && !decodes(path) ? undefined : params, // as the router found them
    query: search === '' ? noQuery : parseQuery(search),
    credentials: credentialsOf(entry),
    contentType: entry.request.contentType,
    ...(entry.request.headers && { headers: entry.request.headers }),
    body: bodyOf(entry),
    ...(entry.xsrfSuspect && { isSuspect: true }),
    readings,
    ...(entry.prefix !== undefined && { prefix: entry.prefix }),
    ...(entry.base !== undefined && { resource: { base: entry.base, ...loginAgain(entry) } }),
  };
}

function endpointAt(path: string, family: AnyPath['family'] | undefined): AnyPath | undefined {
  const known = [...endpoints, ...resourceEndpoints].find(other => other.path === path && other.family === family);
  return known ?? (family !== undefined && isResourceFamily(family) ? nothingThere(family) : undefined);
}

/** The result of an entry's request on a state, at the time of the entry. `readings` win over all others. `namesGaps`: as for `runStages`. */
export function replayEntry(
  entry: JournalEntry,
  state: State,
  server: ReadingChoice,
  readings: SomeReadings = {},
  namesGaps = true,
): RequestOutcome {
  const request = journaledRequest(entry);
  const chosen = request.readings === undefined ? { readings: {} } : parseReadings(request.readings);
  const isUnknown = 'problem' in chosen; // then the request is refused for that reason, whatever else is chosen
  const own = isUnknown ? {} : chosen.readings;
  const context = {
    world: entry.request.body?.includes(HIDDEN) ? redactWorld(state.world) : state.world, // a string is searched as it was kept
    readings: chosenReadings(server, state.origin, state, { readings: own }, { readings }),
    now: entry.at,
  };
  return runAmongFaults({ ...request, readings: isUnknown ? request.readings : undefined }, context, state, namesGaps);
}

/** The path and query of an entry, without the sandbox in the path. */
export function urlWithin({ url }: Pick<JournalEntry, 'url'>): string {
  const [path = ''] = url.split('?', 1);
  return `${sandboxIn(path).path}${url.slice(path.length)}`;
}

/** The password and the cookie of a log-in are not kept. */
function loginAgain({ refused }: JournalEntry): Partial<Request['resource']> {
  return { cookiePath: '/', sign: () => HIDDEN, isProved: refused === undefined };
}

function credentialsOf({ caller, ignoredCaller, credentialsProblem, scheme }: JournalEntry): Credentials {
  const other = scheme && { scheme };
  if (credentialsProblem !== undefined) return { kind: 'unproved', problem: credentialsProblem, ...other };
  const user = ignoredCaller ?? caller;
  return user === undefined || user === ANONYMOUS ? { kind: 'none' } : { kind: 'proved', user, ...other };
}

function bodyOf({ request: { body: text, unread } }: JournalEntry): Body {
  if (unread?.kind === 'not-json') return { ...unread, text: text ?? '' };
  if (unread !== undefined) return unread;
  return text === undefined ? { kind: 'absent' } : { kind: 'json', value: JSON.parse(text), text };
}
