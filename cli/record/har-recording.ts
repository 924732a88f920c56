// Records a HAR file as a running proxy would have: on worlds that have the names in its requests, of which the one that explains most is proposed.
import { basename } from 'node:path';
import { proxiedExchange } from '../../harness/proxy/proxied-exchange.js';
import { authorization } from '../../server/derive/sending/call.js';
import { applyPatch, isObject, type WorldPatch } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { runToEnd } from '../../server/domain/world/run-to-end.js';
import { ANONYMOUS, emptyWorld, type World } from '../../server/domain/world/world.js';
import { silentLog } from '../../server/engine/log.js';
import { DEFAULT_SANDBOX } from '../../server/engine/sandbox/state.js';
import { redactUrl } from '../../server/engine/secrets.js';
import { Session } from '../../server/engine/session/session.js';
import type { ForwardedExchange } from '../../server/http/forwarding/forward-settings.js';
import { addEntry, MAX_EXAMINED } from '../../server/http/forwarding/forwarded-entry.js';
import { SeenMessage } from '../../server/http/forwarding/seen-message.js';
import { findPlace } from '../../server/http/incoming/find-endpoint.js';
import { credentialsIn } from '../../server/http/incoming/request-from.js';
import { isResourceFamily } from '../../server/operations/address.js';
import { shippedFixture } from '../../server/scenario/recording/base-fixture.js';
import { type Recorded, recording } from '../../server/scenario/recording/recorded.js';
import { memoryStore } from '../../server/store/memory.js';
import { exchangesIn, type HarExchange, type LeftOutEntry } from './har-file.js';

/** A scenario with more steps would be of no use. */
const MOST = 5000;
const FIXTURE = 'small-team';

/** `version`: of cwx-fake. Throws a `HarError`. */
export async function harRecording(path: string, version: string): Promise<Recorded> {
  const all: HarExchange[] = [];
  const leftOut: LeftOutEntry[] = [];
  for await (const one of exchangesIn(path)) {
    if ('why' in one) leftOut.push(one);
    else if (all.length === MOST) leftOut.push(leaving(one, `Only the first ${MOST} requests are read.`));
    else all.push(one);
  }
  const ours = new Set(all.filter(isOurs).map(({ url }) => url.host));
  const isFromUs = ({ url }: HarExchange) => ours.size === 0 || ours.has(url.host);
  const kept = all.filter(isFromUs).sort((one, other) => one.at.getTime() - other.at.getTime());
  const others = all
    .filter(one => !isFromUs(one))
    .map(one => leaving(one, `It is for another server (${one.url.host}).`));
  const worlds = [emptyWorld, shippedFixture(FIXTURE) ?? emptyWorld].map(world => withNames(world, kept));
  const recorded = await Promise.all(worlds.map(world => recordedOn(world, kept, version)));
  const [best] = recorded.flatMap(one => one ?? []).sort((one, other) => one.leftOut.length - other.leftOut.length);
  const numbered = numberedBy(kept, best ?? { scenario: { title: '', steps: [] }, leftOut: [] });
  return {
    scenario: { ...numbered.scenario, title: `Requests of ${basename(path)}` },
    leftOut: [...leftOut, ...others, ...numbered.leftOut].sort((one, other) => one.entry - other.entry),
  };
}

function leaving({ entry, method, url }: HarExchange, why: string): LeftOutEntry {
  return { entry, asked: `${method} ${redactUrl(url.href)}`, why };
}

function isOurs({ url }: HarExchange): boolean {
  const { address, endpoint } = findPlace(url.pathname);
  return endpoint !== undefined && address !== undefined && !isResourceFamily(address.family);
}

/** With the numbers of the file instead of those of the journal. */
function numberedBy(kept: readonly HarExchange[], { scenario, leftOut }: Recorded): Recorded {
  const numberOf = (id: number) => kept[id - 1]?.entry ?? id;
  const { about: _, steps = [], ...rest } = scenario;
  const renamed = steps.map(step => ({
    ...step,
    say: step.say.replace(/^Entry (\d+)/, (_, id) => `Entry ${numberOf(Number(id))}`),
  }));
  return {
    scenario: { ...rest, steps: renamed },
    leftOut: leftOut.map(one => ({ ...one, entry: numberOf(one.entry) })),
  };
}

async function recordedOn(world: World, kept: readonly HarExchange[], version: string): Promise<Recorded | undefined> {
  const [first] = kept;
  let now = first?.at ?? new Date(0);
  const session = new Session({
    store: memoryStore(),
    origin: { scenario: FIXTURE, world, readings: {} },
    createOnUse: true,
    journal: { entries: MOST, bytes: Number.POSITIVE_INFINITY },
    maxSandboxes: 1,
    sandboxTtl: 1,
    machineTime: () => now,
  });
  const sandbox = await session.open(DEFAULT_SANDBOX);
  if (sandbox === undefined) return undefined;
  for (const exchange of kept) {
    now = exchange.at;
    await add(session, exchange, world);
  }
  return runToEnd(recording(sandbox, { from: 1, to: Number.MAX_SAFE_INTEGER }, version));
}

/** As a proxy adds it. */
async function add(session: Session, exchange: HarExchange, world: World): Promise<void> {
  const { method, url, body, status, responseHeaders, responseBody } = exchange;
  const user = callerOf(exchange);
  const { authorization: _, ...others } = exchange.headers;
  const known = user !== undefined && {
    authorization: authorization({ user, password: world.users.get(user)?.password ?? user }),
  };
  const headers = { ...(known || exchange.headers.authorization === undefined ? others : exchange.headers), ...known };
  const target = `${url.pathname}${url.search}`;
  const forwarded: ForwardedExchange = {
    method,
    url: target,
    request: seen(headers, body),
    status,
    response: seen(responseHeaders, responseBody),
    duration: 0,
  };
  await addEntry(
    {
      originalUrl: target,
      querystring: url.search.slice(1),
      req: { method, url: target, headers, socket: {}, root: url.origin },
    },
    { sandbox: DEFAULT_SANDBOX, place: findPlace(url.pathname), rewriting: undefined },
    forwarded,
    { target: url.origin, examine: one => proxiedExchange(one).examined, ...UNUSED },
    { session, metrics: { count: () => undefined }, log: silentLog },
  );
}

/** Settings of requests to another server, of which there are none here. */
const UNUSED = { what: 'all', rewrite: false, timeout: 0, maxConnections: 0, trusting: '' } as const;

function seen(headers: Readonly<Record<string, string>>, body: Buffer): SeenMessage {
  const message = new SeenMessage(
    { ...headers, ...(body.length > 0 && { 'content-length': String(body.length) }) },
    MAX_EXAMINED,
  );
  message.add(body);
  message.isComplete = true;
  return message;
}

/** Who sent a request that was not refused for its credentials: browsers write none of them, but both products name the user in a header. */
function callerOf({ headers, responseHeaders, status, caller }: HarExchange): string | undefined {
  const credentials = credentialsIn(headers.authorization);
  const named =
    caller ?? responseHeaders['x-ausername'] ?? (credentials.kind === 'basic' ? credentials.user : undefined);
  if (status === 401 || named === ANONYMOUS) return undefined;
  return named ?? (credentials.kind === 'none' && headers.cookie === undefined ? undefined : 'har-user');
}

type Kind = 'users' | 'groups' | 'spaces' | 'pages' | 'filters' | 'dashboards';
type Names = Readonly<Record<Kind, Set<string>>>;

/** What fields of a body and query parameters name, and path parameters by the segment before them. */
const kinds: Readonly<Record<string, Kind>> = {
  ...{ users: 'users', username: 'users', targetSpaceAdmin: 'users', group: 'groups', groups: 'groups' },
  ...{ groupname: 'groups', spaceKey: 'spaces', sourceSpaceKey: 'spaces', space: 'spaces', content: 'pages' },
  ...{
    edit: 'pages',
    view: 'pages',
    filter: 'filters',
    filters: 'filters',
    dashboard: 'dashboards',
    dashboards: 'dashboards',
  },
};

/** What ids look like in a world. */
const forms: Readonly<Record<Kind, RegExp>> = {
  ...{ users: /\S/, groups: /\S/, spaces: /\S/, pages: /^[1-9]\d{0,14}$/ },
  ...{ filters: /^[1-9]\d{0,8}$/, dashboards: /^[1-9]\d{0,8}$/ },
};

/** A world with the names that successful requests assume, and their callers as admins. */
function withNames(world: World, exchanges: readonly HarExchange[]): World {
  const none = () => new Set<string>();
  const names: Names = {
    users: none(),
    groups: none(),
    spaces: none(),
    pages: none(),
    filters: none(),
    dashboards: none(),
  };
  const admins = new Set<string>();
  for (const exchange of exchanges) {
    const caller = callerOf(exchange);
    if (caller !== undefined) names.users.add(caller);
    if (caller !== undefined && exchange.status < 400 && isOurs(exchange)) admins.add(caller);
    for (const [field, name] of namesIn(exchange)) {
      const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
      if (kind !== undefined && forms[kind].test(name)) names[kind].add(name);
    }
  }
  const [owner = 'har-user'] = names.users;
  if (names.filters.size + names.dashboards.size > 0) names.users.add(owner);
  const [space = 'HAR'] = names.spaces;
  if (names.pages.size > 0) names.spaces.add(space);
  const item = { owner, sharedWith: 'everyone' };
  const records: Readonly<Record<Kind, (name: string) => unknown>> = {
    users: name => (admins.has(name) ? { admin: true } : {}),
    groups: () => [],
    spaces: () => ({}),
    pages: id => ({ space, title: `Page ${id}` }),
    filters: () => item,
    dashboards: () => item,
  };
  const isThere = (kind: Kind, name: string) =>
    kind === 'filters' || kind === 'dashboards' ? world[kind].has(Number(name)) : world[kind].has(name);
  const patch = (Object.keys(records) as Kind[]).map(kind => {
    const missing = [...names[kind]].filter(name => !isThere(kind, name));
    return [kind, Object.fromEntries(missing.map(name => [name, records[kind](name)]))];
  });
  return applyPatch(world, Object.fromEntries(patch) as WorldPatch); // each record has the form of its kind
}

/** What a successful request names, except what `messages` says is missing, and what must be free. */
function namesIn({ url, body, status, responseBody }: HarExchange): Array<readonly [field: string, name: string]> {
  const { endpoint, params = {} } = findPlace(url.pathname);
  if (endpoint === undefined || status >= 400 || endpoint.path.endsWith('/isUnique')) return [];
  const sent = parsedJson(body.toString('utf8'));
  const said = parsedJson(responseBody.toString('utf8'));
  const messages = isObject(said) && Array.isArray(said.messages) ? said.messages.join(' ') : '';
  const missing = new Set(messages.split(/[^\w@-]+/));
  const inPath = [...endpoint.path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, noun = '', name = '']) => [
    noun,
    params[name],
  ]);
  const fields = [...inPath, ...url.searchParams, ...Object.entries(isObject(sent) ? sent : {})];
  return fields.flatMap(([field, value]) =>
    [value ?? []].flat().flatMap(name => (missing.has(String(name)) ? [] : [[String(field), String(name)] as const])),
  );
}
