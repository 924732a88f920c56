// The response and effect of each operation, as the document and the readings define them. Imports only the shapes of a request from the server.
// It changes the given world, so callers pass a copy. Texts that are not promised are FREE.
import { STATUS_CODES } from 'node:http';
import type { OperationId } from '../../server/operations/catalog/catalog.js';
import { isJson, type ModelWorld } from './model-world.js';
import { FREE, FREE_TEXTS, type Given, type ModelRequest, Refusal, type Reply, refuse } from './operations/given.js';
import { documentedRows, modelOperations } from './operations/model-operations.js';
import { type ModelReadings, readingsIn } from './readings.js';

export interface Performed {
  reply: Reply;
  /** Absent: the request reached no operation. */
  operation?: OperationId;
  /** A user name, or `anonymous`; absent: the credentials were rejected. */
  caller?: string;
  isRefused: boolean;
  isPpf: boolean;
  /** Whether anything happened in the world. */
  isChanged: boolean;
}

const routes = documentedRows.map(([id, { method, path }]) => {
  const pattern = `^${id.startsWith('ppf.') ? 'p' : 'w'}${path.replace('{pageId}', '([^/]+)')}$`;
  return [new RegExp(pattern), method, id] as const;
});

/** Performs a request on a world, and changes it. */
export function respond(world: ModelWorld, readings: ModelReadings, now: string, request: ModelRequest): Performed {
  const chosen = readingsIn(request.readings);
  const read = (gap: string) => chosen?.[gap] ?? readings[gap] ?? '';
  const done: Performed = { reply: { status: 0 }, isRefused: false, isPpf: false, isChanged: false };
  const proved =
    read('auth-scheme') === 'basic' && request.credentials.kind === 'bearer' ? 'anonymous' : callerOf(world, request);
  const who = proved ?? (read('bad-credentials') === 'anonymous' ? 'anonymous' : undefined);
  if (who !== undefined) done.caller = who;
  try {
    if (chosen === undefined) refuse(400);
    done.reply = routed({ world, read, now, request, who, done });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status } = error;
    done.reply = { status, ...errorBody(familyOf(request.url), read, status) };
    done.isRefused = true;
  }
  if (request.method === 'HEAD') done.reply = { status: done.reply.status };
  done.isPpf = done.operation?.startsWith('ppf.') ?? false;
  return done;
}

interface Coming extends Pick<Given, 'world' | 'read' | 'now' | 'request'> {
  readonly who: string | undefined;
  readonly done: Performed;
}

function routed({ world, read, now, request, who, done }: Coming): Reply {
  const [path = '', search = ''] = request.url.split(/\?(.*)/s);
  const place = placeOf(path);
  if (decoded(path) === undefined) return refuse(400);
  if (place === undefined) return refuse(404);
  const { family, below } = place;
  const here = routes.filter(([pattern]) => pattern.test(`${family}${below}`));
  if (here.length === 0 || !isServed(place, read)) return refuse(404);
  const { method } = request;
  if (method === 'OPTIONS') return { status: 204 };
  const operation =
    here.find(([, own]) => own === method)?.[2] ?? (method === 'POST' ? headingFor(below, read) : undefined);
  if (operation === undefined) return refuse(405);
  done.operation = operation;
  const caller = who ?? refuse(read('bad-credentials'));
  const { pairs, isText } = queryIn(search);
  const pageId = decoded(here[0]?.[0].exec(`${family}${below}`)?.[1] ?? '') ?? '';
  const happened = () => {
    done.isChanged = true;
  };
  let isReporting = false;
  const skipped = () => {
    isReporting = true;
  };
  const valid = () => permitted(world, read, caller, operation.startsWith('groups.'));
  const given = { valid, world, read, now, request, pairs, isQueryText: isText, pageId, caller, skipped, happened };
  const reply = operate(operation, given);
  return isReporting ? { status: 200, body: { success: false, messages: FREE_TEXTS } } : reply;
}

interface Place {
  readonly family: 'w' | 'p';
  readonly prefix: string;
  readonly context: string;
  readonly below: string;
  readonly version: string;
  readonly hasSlash: boolean;
}

/** Not a context but a misspelt prefix: one letter less, one more, or two swapped. */
function isMisspelt(segment: string): boolean {
  const letters = (text: string) => Array.from({ length: text.length }, (_, i) => i);
  const shorter = (text: string) => letters(text).map(i => text.slice(0, i) + text.slice(i + 1));
  const swapped = (text: string) =>
    letters(text).map(
      i =>
        text.slice(0, i) +
        text
          .slice(i, i + 2)
          .split('')
          .reverse()
          .join('') +
        text.slice(i + 2),
    );
  const written = segment.toLowerCase();
  return ['rest', 'api'].some(
    part => swapped(part).includes(written) || shorter(part).includes(written) || shorter(written).includes(part),
  );
}

export function placeOf(path: string): Place | undefined {
  const own = path.replace(/^\/~[^/]*/, '');
  const forms = [
    ['rest-api', 'w', /^((?:\/[^/]+)*)\/rest\/api\/cwxapiextension\/(latest|\d+(?:\.\d+)*)(\/.*)$/],
    ['rest', 'w', /^((?:\/[^/]+)*)\/rest\/cwxapiextension\/(latest|\d+(?:\.\d+)*)(\/.*)$/],
    ['bare', 'w', /^(|\/[^/]+)\/cwxapiextension\/(latest|\d+(?:\.\d+)*)(\/.*)$/],
    ['rest', 'p', /^((?:\/[^/]+)*)\/rest\/cwx-ppf\/(latest|\d+(?:\.\d+)*)(\/.*)$/],
  ] as const;
  for (const [prefix, family, form] of forms) {
    const [, context, version, below] = form.exec(own) ?? [];
    if (context === undefined || version === undefined || below === undefined) continue;
    if (prefix === 'bare' && isMisspelt(context.slice(1))) continue;
    const hasSlash = below.length > 1 && below.endsWith('/');
    return { family, prefix, context, version, hasSlash, below: hasSlash ? below.slice(0, -1) : below };
  }
  return undefined;
}

function isServed({ family, prefix, context, version, hasSlash }: Place, read: Given['read']): boolean {
  if (version !== 'latest' && read('version-segment') === 'latest') return false;
  if (hasSlash && read('trailing-slash') === '404') return false;
  const [contexts, prefixes] = [read('context-path'), read('wiki-prefix')];
  const hasOne = !context.slice(1).includes('/');
  if (family === 'p') return read('ppf-context-path') === 'any' ? hasOne : context === '';
  return (
    (contexts === 'any' ? hasOne : context === (contexts === 'none' ? '' : contexts)) &&
    (prefixes === 'any' || prefixes === prefix)
  );
}

/** The operation of a POST that only a heading of the document names. */
function headingFor(below: string, read: Given['read']): OperationId | undefined {
  const [, , what] = below.split('/');
  if (what === 'view') {
    const reading = read('view-post');
    return reading === 'reject' ? undefined : `permissions.view-${reading as 'add' | 'remove'}`;
  }
  if (!below.startsWith('/permissions/') || read('heading-methods') === 'none') return undefined;
  return what === 'edit' ? 'permissions.edit-remove' : 'permissions.all-remove';
}

function familyOf(url: string): 'w' | 'p' {
  return placeOf(url.split('?')[0] ?? '')?.family ?? (url.includes('cwx-ppf') ? 'p' : 'w');
}

/** The body of a refusal that was decided elsewhere. */
export function refusalBody(
  { url, readings: own }: ModelRequest,
  readings: ModelReadings,
  status: number,
): { body?: unknown } {
  const chosen = { ...readings, ...readingsIn(own) };
  return errorBody(familyOf(url), gap => chosen[gap] ?? '', status);
}

function errorBody(family: 'w' | 'p', read: Given['read'], status: number): { body?: unknown } {
  const reading = read(family === 'w' ? 'wiki-error-body' : 'ppf-error-body');
  if (reading === 'empty') return {};
  if (reading === 'messages') return { body: { messages: FREE_TEXTS } };
  if (reading === 'jira') return { body: { errorMessages: FREE_TEXTS, errors: {} } };
  return { body: { statusCode: status, message: FREE, reason: status < 400 ? FREE : (STATUS_CODES[status] ?? FREE) } };
}

function callerOf(world: ModelWorld, { credentials }: ModelRequest): string | undefined {
  if (credentials.kind === 'none') return 'anonymous';
  if (credentials.kind === 'bearer') return [...world.users].find(([, { token }]) => token === credentials.token)?.[0];
  if (credentials.kind !== 'basic') return undefined;
  const known = world.users.get(credentials.user);
  return known !== undefined && (known.password ?? credentials.password) === credentials.password
    ? credentials.user
    : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // not text
  }
}

function queryIn(search: string): { pairs: Array<[string, string]>; isText: boolean } {
  const all = search.split('&').filter(pair => pair !== '');
  const pairs = all.map(pair => {
    const [name = '', value = ''] = pair.replaceAll('+', ' ').split(/=(.*)/s);
    return [decoded(name), decoded(value)] as const;
  });
  const texts = pairs.flatMap(([name, value]) =>
    name === undefined || value === undefined ? [] : [[name, value] as [string, string]],
  );
  return { pairs: texts, isText: texts.length === all.length };
}

/** Refuses callers who may not use the wiki. */
function permitted(world: ModelWorld, read: Given['read'], caller: string, isAboutGroups: boolean): void {
  if (read('wiki-auth') !== 'open' && caller === 'anonymous') refuse(read('wiki-anonymous'));
  const isForAdmins = read('wiki-auth') === 'admin' || (read('wiki-auth') === 'permitted' && isAboutGroups);
  if (isForAdmins && world.users.get(caller)?.admin !== true) refuse(403);
  if (world.licence.ppf !== 'valid' && read('wiki-licence') === 'needed') refuse(403);
}

function operate(operation: OperationId, given: Given): Reply {
  if (!operation.startsWith('ppf.') && given.read('wiki-check-order') === 'access-first') given.valid();
  return modelOperations[operation].perform(given);
}

/** Whether a response is as expected; FREE matches any text. */
export function isLike(said: unknown, found: unknown): boolean {
  if (said === FREE) return typeof found === 'string' && found !== '';
  if (said === FREE_TEXTS) return Array.isArray(found) && found.length > 0 && found.every(one => isLike(FREE, one));
  if (Array.isArray(said) && Array.isArray(found))
    return said.length === found.length && said.every((one, i) => isLike(one, found[i]));
  if (!isJson(said) || !isJson(found)) return said === found;
  const keys = Object.keys(said).filter(key => said[key] !== undefined);
  return (
    keys.length === Object.keys(found).filter(key => found[key] !== undefined).length &&
    keys.every(key => Object.hasOwn(found, key) && isLike(said[key], found[key]))
  );
}
