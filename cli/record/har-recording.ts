// Records a HAR file as a running proxy would have: on worlds that have the names in its requests, of which the one that explains most is proposed.
import { basename } from 'node:path';
import { proxiedExchange } from '../../harness/proxy/proxied-exchange.js';
import { authorization } from '../../server/derive/sending/call.js';
import { formOf } from '../../server/domain/form/form.js';
import { applyPatch, isObject, mergePatch, type WorldPatch } from '../../server/domain/form/patch.js';
import { runToEnd } from '../../server/domain/iterables.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { ANONYMOUS, emptyWorld, type World } from '../../server/domain/world/world.js';
import { silentLog } from '../../server/engine/log.js';
import { decoded } from '../../server/engine/percent.js';
import { messageIn } from '../../server/engine/response-message.js';
import { DEFAULT_SANDBOX } from '../../server/engine/sandbox/state.js';
import { redactUrl } from '../../server/engine/secrets.js';
import { Session } from '../../server/engine/session/session.js';
import { addEntry } from '../../server/http/forwarding/forwarded-entry.js';
import { findPlace } from '../../server/http/incoming/find-endpoint.js';
import { credentialsIn } from '../../server/http/incoming/request-from.js';
import { isResourceFamily } from '../../server/operations/address.js';
import { shippedFixture } from '../../server/scenario/recording/base-fixture.js';
import type { LeftOut } from '../../server/scenario/recording/forwarded-entries.js';
import { type Recorded, recording } from '../../server/scenario/recording/recorded.js';
import { memoryStore } from '../../server/store/memory.js';
import { exchangesIn, type HarExchange } from './har-file.js';

/** A scenario with more steps would be of no use. */
const MOST = 5000;
const FIXTURE = 'small-team';
/** A user whose name is not known. */
const STRANGER = 'har-user';

/** `version`: of cwx-fake. Throws a `HarError`. */
export async function harRecording(path: string, version: string): Promise<Recorded> {
  const all: HarExchange[] = [];
  const leftOut: LeftOut[] = [];
  for await (const one of exchangesIn(path)) {
    if ('why' in one) leftOut.push(one);
    else if (all.length === MOST) leftOut.push(leaving(one, `Only the first ${MOST} requests are read.`));
    else all.push(one);
  }
  const ours = new Set(all.filter(isOurs).map(({ url }) => url.host));
  const isFromUs = ({ url }: HarExchange) => ours.size === 0 || ours.has(url.host);
  const kept = all.filter(isFromUs).sort((one, other) => one.at.getTime() - other.at.getTime());
  for (const one of all.filter(other => !isFromUs(other)))
    leftOut.push(leaving(one, `It is for another server (${one.url.host}).`));
  const worlds = [emptyWorld, shippedFixture(FIXTURE) ?? emptyWorld].map(world => withNames(world, kept));
  const recorded = await Promise.all(worlds.map(world => recordedOn(world, kept, version)));
  const [best] = recorded.flatMap(one => one ?? []).sort((one, other) => one.leftOut.length - other.leftOut.length);
  const numberOf = (id: string | number) => kept[Number(id) - 1]?.entry ?? Number(id); // the journal has numbers of its own
  leftOut.push(...(best?.leftOut ?? []).map(one => ({ ...one, entry: numberOf(one.entry) })));
  const { about: _, steps = [], ...rest }: Recorded['scenario'] = best?.scenario ?? { title: '' };
  const numbered = steps.map(step => ({ ...step, say: step.say.replace(/\d+/, id => String(numberOf(id))) }));
  return {
    scenario: { ...rest, title: `Requests of ${basename(path)}`, steps: numbered },
    leftOut: leftOut.sort((one, other) => one.entry - other.entry),
  };
}

function leaving({ entry, exchange: { method }, url }: HarExchange, why: string): LeftOut {
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

/** As a proxy adds it, with the credentials of a user of the world. */
async function add(session: Session, one: HarExchange, world: World): Promise<void> {
  const { exchange, url } = one;
  const { method, url: target, request } = exchange;
  const user = callerOf(one);
  const password = user === undefined ? '' : (world.users.get(user)?.password ?? user);
  const headers = {
    ...request.headers,
    ...(user !== undefined && { authorization: authorization({ user, password }) }),
  };
  const req = { method, url: target, headers, socket: {}, root: url.origin };
  await addEntry(
    { originalUrl: target, querystring: url.search.slice(1), req },
    { sandbox: DEFAULT_SANDBOX, place: findPlace(url.pathname), rewriting: undefined },
    exchange,
    { target: url.origin, examine: asked => proxiedExchange(asked).examined },
    { session, metrics: { count: () => undefined }, log: silentLog },
  );
}

/** Who sent a request that was not refused for its credentials: browsers save none, but both products name the user in a header. */
function callerOf(one: HarExchange): string | undefined {
  const { exchange, caller } = one;
  const { request, response, status } = exchange;
  const credentials = credentialsIn(request.headers.authorization?.toString());
  const shown = response.headers['x-ausername']?.toString();
  const named = caller ?? (shown && decoded(shown)) ?? (credentials.kind === 'basic' ? credentials.user : undefined);
  if (status === 401 || named === ANONYMOUS) return undefined;
  const isKnown = credentials.kind !== 'none' || request.headers.cookie !== undefined || (status < 400 && isOurs(one));
  return named ?? (isKnown ? STRANGER : undefined);
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
    const isAdmin = exchange.exchange.status < 400 && isOurs(exchange);
    return [
      ...(caller === undefined ? [] : [{ users: { [caller]: isAdmin ? { admin: true } : {} } }]),
      ...namesIn(exchange),
    ];
  });
  const all = patches.reduce<unknown>((patch, one) => mergePatch(patch, one), {}) as WorldPatch; // of patches
  const known = new Map<string, unknown>(Object.entries(formOf(world)));
  const missing = Object.entries(all).map(([kind, records]) => [kind, Object.assign({}, records, known.get(kind))]);
  return applyPatch(world, Object.fromEntries(missing) as WorldPatch); // as above
}

/** What a successful request assumes, except what `messages` says is missing, and what must be free. */
function namesIn({ url, exchange: { request, status, response } }: HarExchange): WorldPatch[] {
  const { endpoint, params = {} } = findPlace(url.pathname);
  if (endpoint === undefined || status >= 400 || endpoint.path.endsWith('/isUnique')) return [];
  const sent = parsedJson(request.text ?? '');
  const missing = new Set((messageIn(parsedJson(response.text ?? '')) ?? '').split(/[^\w@-]+/));
  const inPath = endpoint.path.split('/').map((part, i, all) => [all[i - 1] ?? '', params[part.slice(1, -1)]] as const);
  return [...inPath, ...url.searchParams, ...Object.entries(isObject(sent) ? sent : {})].flatMap(([field, value]) => {
    const names = [value ?? []].flat().map(String);
    const assume = Object.hasOwn(assumed, field) ? assumed[field] : undefined;
    return assume === undefined ? [] : names.filter(name => /\S/.test(name) && !missing.has(name)).map(assume);
  });
}
