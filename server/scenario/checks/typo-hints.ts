// Typical errors of people who write their first scenario, with hints on how to write it. Called for values that are known to be invalid.
import { collectionNames } from '../../domain/form/form.js';
import { isObject } from '../../domain/form/patch.js';
import type { Path } from '../../domain/json/json-pointer.js';
import { parseDuration } from '../../engine/duration.js';
import { faultSchema } from '../../engine/faults/fault.js';
import { expectedOf, nearest } from '../../engine/nearest.js';
import { matcherNames } from '../../engine/patterns/matcher.js';

/** Message about an unknown key where matchers are allowed; undefined if it has no dollar, or is a matcher or a captured value. */
export function unknownMatcher(key: string): string | undefined {
  if (!key.startsWith('$') || key.startsWith('${') || matcherNames.some(name => name === key)) return undefined;
  return `Unknown matcher ${JSON.stringify(key)}${nearest(key, matcherNames)}: ${expectedOf(matcherNames)}.`;
}

/** Place and message of an unknown or combined matcher, for an invalid value or key within an expectation. */
export function matcherHint(path: Path, value: unknown): { path: Path; message: string } | undefined {
  if (!['expect', 'then', 'match'].some(key => path.includes(key))) return undefined;
  const own = unknownMatcher(String(path.at(-1)));
  if (own !== undefined) return { path, message: own };
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  for (const key of keys) {
    const message = unknownMatcher(key);
    if (message !== undefined) return { path: [...path, key], message };
  }
  return undefined;
}

/** What is meant by an unknown key, if that can be seen: `say:Ask` and `-say` lack a blank, and `extends`, `users` and `status` belong elsewhere. */
export function keyHint(key: string, allowed: readonly string[]): string | undefined {
  const colon = key.indexOf(':');
  const [name, rest] = [key.slice(0, colon), key.slice(colon + 1)];
  if (colon > 0 && rest !== '' && allowed.includes(name)) return `put a space after the colon: ${name}: ${rest}`;
  if (/^-\w/.test(key)) return `put a space after the dash: - ${key.slice(1)}`;
  if (/^extends?$/.test(key) && allowed.includes('fixture')) return 'in a scenario, the key for the world is fixture';
  if (collectionNames.some(collection => collection === key) && allowed.includes('fixture'))
    return `this is a scenario. Put changes to its fixture under world, as in world: { ${key}: … }`;
  if (Object.hasOwn(faultSchema.properties.effect.properties, key) && allowed.includes('effect'))
    return `put it under effect, as in effect: { ${key}: … }`;
  if ((key === 'effect' || key === 'response') && allowed.includes('body') && allowed.includes('delay'))
    return 'put status, headers, body and delay at the same level as the path of a stub';
  return undefined;
}

const MAX_QUOTED = 80;

/** How to write a raw body that was written as JSON. */
function rawBodyHint(value: unknown): string {
  const text = JSON.stringify(value);
  const example = text.length > MAX_QUOTED || text.includes("'") ? '{"users":["alice"]}' : text;
  return `a raw body must be a string, such as '${example}'; to send an object, use call and body`;
}

/** An example of each part of a step. */
const FORMS: Readonly<Record<string, string>> = {
  path: '{ name: value }',
  query: '{ name: value }',
  request: '{ method: GET, path: /rest/… }',
  expect: '{ status: 200 }',
  // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
  then: '{ favourites: { alice: { filters: [10500] } } }',
  proves: '[ppf.success-flag]',
  capture: '{ why: /messages/0 }',
  clock: '+P1D',
  world: '{ users: { bob: { admin: true } } }',
  faults: '[{ operation: ppf.push, effect: { status: 503 } }]',
  stubs: '[{ path: /rest/webhooks/1.0, body: { webhooks: [] } }]',
  for: '{ reading: { expect: { status: 200 } } }',
};

/** A hint on YAML or the format that may explain the error; empty if there is none. */
export function typoHint(path: Path, problem: string, value: unknown): string {
  const hint =
    statusHint(path, value) ?? periodHint(path, value) ?? formHint(path, value) ?? scalarHint(path, problem, value);
  return hint === undefined ? '' : `: ${hint}`;
}

/** `clock: +P1D` outside a step. */
function periodHint(path: Path, value: unknown): string | undefined {
  return path.length === 1 && path[0] === 'clock' && typeof value === 'string' && /^[+-]?P/.test(value)
    ? `to advance the clock by a duration, use a step, as in steps: [{ clock: "${value}" }]`
    : undefined;
}

function statusHint(path: Path, value: unknown): string | undefined {
  if (path.at(-1) !== 'status' || path.at(-2) !== 'expect') return undefined;
  if (Array.isArray(value)) {
    const classes = new Set(value.map(status => (typeof status === 'object' ? '' : String(status).charAt(0))));
    const [first = ''] = classes;
    return classes.size === 1 && /[1-5]/.test(first)
      ? `write one status, or ${first}XX for ${first}00 to ${first}99`
      : 'write one status, or a class: 1XX, 2XX, 3XX, 4XX or 5XX';
  }
  return undefined;
}

/** ` (did you mean 2XX?)` for another notation of a class of statuses. */
export function statusMeant(path: Path, value: unknown): string {
  if (path.at(-1) !== 'status' || typeof value !== 'string') return '';
  const [, first] = /^([1-5])(?:x{1,2}|\*{1,2}|__)$/i.exec(value) ?? [];
  return first === undefined ? '' : ` (did you mean ${first}XX?)`;
}

function formHint(path: Path, value: unknown): string | undefined {
  const key = String(path.at(-1));
  if (key === 'clock' && typeof value === 'string' && parseDuration(value) !== undefined) return `write +${value}`;
  if (key === 'sharedWith') return sharingHint(value);
  if (key === 'expect' && typeof value === 'number') return `write { status: ${value} }`;
  if (key === 'body' && path.at(-2) === 'request') return rawBodyHint(value);
  if (key === 'as' && isObject(value) && typeof value.user === 'string' && Object.keys(value).length === 1)
    return `add a password, or write as: ${value.user}`;
  if (path[0] !== 'steps' || path.length !== 3 || !Object.hasOwn(FORMS, key) || value === null) return undefined;
  if (key === 'proves' && typeof value === 'string') return `write [${value}]`;
  const form = FORMS[key] ?? '';
  const isOfThatKind = form.startsWith('[') ? Array.isArray(value) : isObject(value);
  return isOfThatKind ? undefined : `write it like ${key}: ${form}`;
}

function sharingHint(value: unknown): string {
  const name = Array.isArray(value) ? value[0] : undefined;
  const example = typeof name === 'string' && name !== '' ? name : 'alice';
  return `to share with some users or groups, write { users: [${example}] } or { groups: [crew] }`;
}

function scalarHint(path: Path, problem: string, value: unknown): string | undefined {
  if (problem === 'must be true' && isYes(value)) return `write ${path.at(-1)}: true`;
  if (problem === 'must be true or false' && isYes(value)) return 'write true';
  if (problem === 'must be true or false' && isNo(value)) return 'write false';
  if (/^must be a string( or null)?$/.test(problem) && (typeof value === 'number' || typeof value === 'boolean'))
    return 'write it in quotes';
  if (/number|integer|status/.test(problem) && typeof value === 'string' && /^\d+$/.test(value))
    return 'write it without quotes';
  return problem === 'must be an object' && value === null ? 'for an empty object, write {}' : undefined;
}

/** Values that older YAML took for true. */
function isYes(value: unknown): boolean {
  return typeof value === 'string' && /^(yes|on|true)$/i.test(value);
}

function isNo(value: unknown): boolean {
  return typeof value === 'string' && /^(no|off|false)$/i.test(value);
}
