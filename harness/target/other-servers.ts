// The servers of a run: one for both APIs, or one for each, with the headers that the user gives for them.
import { authorization, type HttpRequest } from '../../server/derive/sending/call.js';
import { mergedHeaders } from '../../server/engine/request/headers.js';
import type { Family } from '../../server/operations/operation.js';
import type { Target } from '../../server/scenario/play/target.js';
import type { Wrong } from '../../server/settings/flag-checks.js';
import { anyServer } from './any-server.js';

/** A header of all requests or, with credentials, of one user. */
export interface GivenHeader {
  /** Absent: the admin, if it has credentials. */
  readonly user?: string;
  readonly name: string;
  readonly value: string;
}

/** Parses `Name: value` or `user Name: value`. */
export function givenHeaderIn(text: string): GivenHeader | Wrong {
  const colon = text.indexOf(':');
  const before = text.slice(0, Math.max(0, colon)).trimStart();
  const value = text.slice(colon + 1).trim();
  const blank = before.lastIndexOf(' ');
  const user = blank === -1 ? undefined : before.slice(0, blank);
  const name = before.slice(blank + 1);
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[^\r\n]+$/.test(value))
    return { problem: "it must be 'Name: value', or 'user Name: value' for another user than the admin" };
  return { ...(user !== undefined && { user }), name, value };
}

/** The users whose credentials are in headers. */
export function usersWith(headers: readonly GivenHeader[], admin: string): string[] {
  return headers.flatMap(({ user = admin, name }) => (credentials.test(name) ? [user] : []));
}

export interface Place {
  readonly url: string;
  readonly headers: readonly GivenHeader[];
}

/** A server that is not ours, and how it is really asked. */
export interface OtherServer extends Target {
  /** What is sent, and to which base URL. */
  shown(request: HttpRequest): { readonly url: string; readonly request: HttpRequest };
  /** Why an API is not asked at all. */
  readonly notGiven: ReadonlyMap<Family, string>;
}

/** Users with their passwords, the admin first. */
type Accounts = { readonly passwords: ReadonlyMap<string, string>; readonly adminThere: string };

/** At least one of the two; both may be the same. A server that is not given responds with 404 to everything. */
export function otherServers(wiki: Place | undefined, tracker: Place | undefined, accounts: Accounts): OtherServer {
  const serverAt = (place: Place) => ({ ...anyServer(place.url), headers: place.headers });
  const atWiki = wiki && serverAt(wiki);
  const atTracker = tracker === wiki ? atWiki : tracker && serverAt(tracker);
  const main = atWiki ?? atTracker;
  if (main === undefined) throw new RangeError('no server is given');
  const placed = (request: HttpRequest) => {
    const server = isForTracker(request) ? atTracker : atWiki;
    return server && { server, request: withHeaders(inContext(request, main, server), server.headers, accounts) };
  };
  return {
    url: main.url,
    context: main.context,
    notGiven: new Map([
      ...(wiki === undefined ? [['wiki', 'no --wiki is given'] as const] : []),
      ...(tracker === undefined ? [['ppf', 'no --tracker is given'] as const] : []),
    ]),
    async send(request) {
      const there = placed(request);
      return there === undefined ? { status: 404, headers: {}, text: '' } : there.server.send(there.request);
    },
    shown(request) {
      const there = placed(request);
      return { url: there?.server.url ?? main.url, request: there?.request ?? request };
    },
    async close() {
      await Promise.all([atWiki?.close(), atTracker?.close()]);
    },
  };
}

function isForTracker({ path }: HttpRequest): boolean {
  return /\/cwx-ppf\/|\/rest\/(?:api\/2|auth)\//i.test(path);
}

/** Requests are made for the context path of the main server. */
function inContext(request: HttpRequest, { context }: Target, other: Target): HttpRequest {
  const isBelow = request.path.startsWith(`${context}/`);
  return isBelow && context !== other.context
    ? { ...request, path: `${other.context}${request.path.slice(context.length)}` }
    : request;
}

const credentials = /^(?:authorization|cookie)$/i;

/** Credentials replace the right password of their user; other headers are sent with every request. */
function withHeaders(request: HttpRequest, given: readonly GivenHeader[], accounts: Accounts): HttpRequest {
  if (given.length === 0) return request;
  const { passwords, adminThere } = accounts;
  const isOf = (user: string) =>
    request.headers.Authorization === authorization({ user, password: passwords.get(user) ?? '' });
  const own = given.filter(({ user, name }) =>
    user !== undefined || credentials.test(name) ? isOf(user ?? adminThere) : true,
  );
  const { Authorization: _, ...others } = request.headers;
  const isReplaced = own.some(({ name }) => credentials.test(name));
  const added = Object.fromEntries(own.map(({ name, value }) => [name, value]));
  return { ...request, headers: mergedHeaders(isReplaced ? others : request.headers, added) };
}
