// Records a HAR file as a running proxy would have: on worlds that have the names in its requests, of which the one that explains most is proposed.
import { basename } from 'node:path';
import { proxiedExchange } from '../../harness/proxy/proxied-exchange.js';
import { authorization } from '../../server/derive/sending/call.js';
import { formOf } from '../../server/domain/form/form.js';
import type { CollectionName } from '../../server/domain/form/form-shapes.js';
import { applyPatch, isObject, mergePatch, type WorldPatch } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { runToEnd } from '../../server/domain/world/run-to-end.js';
import { ANONYMOUS, emptyWorld, type World } from '../../server/domain/world/world.js';
import { silentLog } from '../../server/engine/log.js';
import { messageIn } from '../../server/engine/response-message.js';
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
/** A user whose name is not known. */
const STRANGER = 'har-user';

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
  const { scenario, leftOut: unsent } = best ?? { scenario: { title: '', steps: [] }, leftOut: [] };
  const { about: _, steps = [], ...rest } = scenario;
  const numberOf = (id: string | number) => kept[Number(id) - 1]?.entry ?? Number(id); // the journal has numbers of its own
  const numbered = steps.map(step => ({ ...step, say: step.say.replace(/\d+/, id => String(numberOf(id))) }));
  return {
    scenario: { ...rest, title: `Requests of ${basename(path)}`, steps: numbered },
    leftOut: [...leftOut, ...others, ...unsent.map(one => ({ ...one, entry: numberOf(one.entry) }))].sort(
      (one, other) => one.entry - other.entry,
    ),
  };
}

function leaving({ entry, method, url }: HarExchange, why: string): LeftOutEntry {
  return { entry, asked: `${method} ${redactUrl(url.href)}`, why };
}

function isOurs({ url }: HarExchange): boolean {
  const { address, endpoint } = findPlace(url.pathname);
  return endpoint !== undefined && address !== undefined && !isResourceFamily(address.family);
}

async function recordedOn(world: World, kept: readonly HarExchange[], version: string): Promise<Recorded | undefined> {
  let now = new Date();
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
  const password = user === undefined ? '' : (world.users.get(user)?.password ?? user);
  const headers = {
    ...exchange.headers,
    ...(user !== undefined && { authorization: authorization({ user, password }) }),
  };
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
  const length = body.length > 0 && { 'content-length': String(body.length) };
  const message = new SeenMessage({ ...headers, ...length }, MAX_EXAMINED);
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
  return named ?? (credentials.kind === 'none' && headers.cookie === undefined ? undefined : STRANGER);
}

const user = (name: string): WorldPatch => ({ users: { [name]: {} } });
const group = (name: string): WorldPatch => ({ groups: { [name]: [] } });
const space = (key: string): WorldPatch => ({ spaces: { [key]: {} } });
const page = (id: string): WorldPatch =>
  /^[1-9]\d{0,14}$/.test(id) ? { ...space('HAR'), pages: { [id]: { space: 'HAR', title: `Page ${id}` } } } : {};
const item =
  (kind: 'filters' | 'dashboards') =>
  (id: string): WorldPatch =>
    /^[1-9]\d{0,8}$/.test(id)
      ? { ...user(STRANGER), [kind]: { [id]: { owner: STRANGER, sharedWith: 'everyone' } } }
      : {};
const [filter, dashboard] = [item('filters'), item('dashboards')];

/** What fields of a body, query parameters and path parameters (by the segment before them) assume. */
const assumed: Readonly<Record<string, (name: string) => WorldPatch>> = {
  ...{ users: user, username: user, targetSpaceAdmin: user, group, groups: group, groupname: group },
  ...{ space, spaceKey: space, sourceSpaceKey: space, content: page, edit: page, view: page },
  ...{ filter, filters: filter, dashboard, dashboards: dashboard },
};

/** A world with the names that successful requests assume, and their callers as admins. */
function withNames(world: World, exchanges: readonly HarExchange[]): World {
  const patches = exchanges.flatMap(exchange => {
    const caller = callerOf(exchange);
    const isAdmin = exchange.status < 400 && isOurs(exchange);
    return [
      ...(caller === undefined ? [] : [{ users: { [caller]: isAdmin ? { admin: true } : {} } }]),
      ...namesIn(exchange),
    ];
  });
  const all = patches.reduce<unknown>((patch, one) => mergePatch(patch, one), {}) as WorldPatch; // of patches
  const missing = Object.entries(all).map(([kind, records]) => {
    const known = formOf(world)[kind as CollectionName];
    return [
      kind,
      Object.fromEntries(Object.entries(records as object).filter(([name]) => !Object.hasOwn(known, name))),
    ];
  });
  return applyPatch(world, Object.fromEntries(missing) as WorldPatch); // as above
}

/** What a successful request assumes, except what `messages` says is missing, and what must be free. */
function namesIn({ url, body, status, responseBody }: HarExchange): WorldPatch[] {
  const { endpoint, params = {} } = findPlace(url.pathname);
  if (endpoint === undefined || status >= 400 || endpoint.path.endsWith('/isUnique')) return [];
  const sent = parsedJson(body.toString('utf8'));
  const missing = new Set((messageIn(parsedJson(responseBody.toString('utf8'))) ?? '').split(/[^\w@-]+/));
  const nouns = [...endpoint.path.matchAll(/(\w+)\/\{(\w+)\}/g)];
  const inPath = nouns.map(([, noun = '', name = '']) => [noun, params[name]] as const);
  return [...inPath, ...url.searchParams, ...Object.entries(isObject(sent) ? sent : {})].flatMap(([field, value]) => {
    const names = [value ?? []].flat().map(String);
    const assume = Object.hasOwn(assumed, field) ? assumed[field] : undefined;
    return assume === undefined ? [] : names.filter(name => /\S/.test(name) && !missing.has(name)).map(assume);
  });
}
