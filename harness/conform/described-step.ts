// Describes what a server did in a failed step, from what it should have changed or sent and what it did instead.
import { isObject } from '../../server/domain/form/patch.js';
import { pathOfPointer } from '../../server/domain/json/json-pointer.js';
import type { MatchDifference } from '../../server/engine/patterns/match.js';
import { valueText } from '../../server/engine/patterns/value-text.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import type { VisibleRecords } from '../../server/scenario/play/compare-result.js';
import type { Played } from '../../server/scenario/play/player.js';
import type { NamesThere } from '../names/name-map.js';

/** Completes "behaves like a server that …". `before`: the visible world as a correct server has it before the step. */
export function describedStep(
  { step, received, differences }: Played,
  before: VisibleRecords,
  names: NamesThere,
): string | undefined {
  const asked = operations.find(({ id }) => id === step.call)?.summary;
  const said = differences.flatMap(one => described(one, before, { as: step.as, body: step.body, names }));
  if (said.length === 0 || received === undefined) return undefined;
  const all = [...new Set(said)].slice(0, 3).join(', ');
  return asked === undefined ? all : `${all} when asked to ${asked.charAt(0).toLowerCase()}${asked.slice(1)}`;
}

interface Request {
  readonly as: unknown;
  readonly body: unknown;
  /** Caller and body have the names of the server, the world those of the fixture. */
  readonly names: NamesThere;
}

function described(difference: MatchDifference, before: VisibleRecords, request: Request): string[] {
  const { of, pointer, expected, found } = difference;
  const path = pathOfPointer(pointer);
  if (of === 'status') return [statusText(expected, Number(found))];
  if (of === 'body') return [fieldText(path.join('.') || 'the body', expected, found)];
  if (of !== 'world') return [];
  const [name = '', key = '', ...fields] = path;
  const seen = before.get(`${name}/${key}`)?.value;
  const old = fields.reduce<unknown>((value, field) => (isObject(value) ? value[field] : undefined), seen);
  return changeText([name, key, ...fields].join('/'), [old, expected, found], request);
}

function statusText(expected: unknown, found: number): string {
  if (found >= 500) return `fails with ${found}`;
  const isGood = typeof expected === 'number' ? expected < 300 : /^\^?\(?2/.test(String(expected));
  if (found < 300) return isGood ? `responds with ${found}` : `accepts an invalid or forbidden request`;
  return isGood
    ? `refuses a valid request with ${found}`
    : `refuses a request with ${found} instead of ${valueText(expected)}`;
}

function fieldText(field: string, expected: unknown, found: unknown): string {
  return found === undefined
    ? `leaves ${field} out of the response`
    : `sends ${valueText(found)} in ${field} instead of ${valueText(expected)}`;
}

/** What became of a list, a text or a whole record. */
function changeText(place: string, [old, expected, found]: readonly unknown[], request: Request): string[] {
  if (found === undefined) return [old === undefined ? `does not create ${place}` : `removes ${place}`];
  if (!Array.isArray(expected) || !Array.isArray(found)) {
    if (found === old) return [`does not change ${place}`];
    return [`${old === expected ? 'changes' : 'sets'} ${place} to ${valueText(found)}`];
  }
  const was: unknown[] = Array.isArray(old) ? old : [];
  const less = (some: unknown[], others: unknown[]) => some.filter(one => !others.includes(one));
  const kept = less(found, expected).filter(one => was.includes(one));
  const missed = less(less(expected, found), was);
  const lost = less(was, found).filter(one => expected.includes(one));
  const more = less(less(found, expected), was);
  if (less(found, was).length + less(was, found).length === 0) return [`leaves ${place} as it is`];
  const say = (verb: string, some: unknown[], how: string) =>
    some.length === 0 ? [] : [`${verb} ${some.map(one => named(one, request)).join(' and ')} ${how} ${place}`];
  return [
    ...say('does not remove', kept, 'from'),
    ...say('does not add', missed, 'to'),
    ...(found.length === 0 && lost.length > 1 ? [`removes everything from ${place}`] : say('removes', lost, 'from')),
    ...say('adds', more, 'to'),
  ];
}

const KINDS = ['user', 'group', 'filter', 'dashboard'] as const;

/** `admin, the caller,` or `bob, the last of its list,`. */
function named(name: unknown, { as, body, names }: Request): string {
  const there = [String(name), ...KINDS.flatMap(kind => names.real(kind, String(name)) ?? [])];
  if (typeof as === 'string' && there.includes(as)) return `${name}, the caller,`;
  const lists = Object.values(isObject(body) ? body : {}).filter(Array.isArray);
  const all = lists.map(list => list.map(String)).find(list => list.some(one => there.includes(one)));
  if (all === undefined) return `${name}, which the request does not name,`;
  const at = all.findIndex(one => there.includes(one));
  if (all.length > 1 && at === 0) return `${name}, the first of its list,`;
  return all.length > 1 && at === all.length - 1 ? `${name}, the last of its list,` : String(name);
}
