// What a request has to do with: what a server that breaks a rule only sometimes may make it depend on. Judges nothing.
import { isObject } from '../../../domain/form/patch.js';
import { jsonIn } from './alterations/altered-requests.js';
import type { Comparison } from './comparison.js';

const known = new WeakMap<Comparison, ReadonlySet<string>>();

/** Of the request of a step, each in one word or a few. */
export function circumstancesOf(step: Comparison): ReadonlySet<string> {
  const found = known.get(step) ?? new Set(namedIn(step));
  known.set(step, found);
  return found;
}

/** A server that remembers its answers gives the last one again. */
export const ANEW = 'answered anew';

function namedIn({ played: { sent, step }, report, operation, isAnsweredAnew }: Comparison): string[] {
  if (sent === undefined) return [];
  const [path = '', query = ''] = sent.path.split('?');
  const type = Object.entries(sent.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return [
    `operation ${operation}`,
    `family ${operation.split('.')[0]}`,
    `method ${sent.method}`,
    `caller ${typeof step.as === 'string' ? step.as : 'other'}`,
    `report ${report}`,
    ...(isAnsweredAnew === true ? [ANEW] : []),
    hasContextPath(path) ? 'context path' : 'no context path',
    ...(/charset/i.test(type) ? ['charset'] : []),
    ...parametersIn(query),
    ...fieldsIn(jsonIn(sent)),
  ];
}

/** Whether an address has one segment before that of the API. */
export function hasContextPath(path: string): boolean {
  return /^\/(?!~|rest\/|cwxapiextension\/)[^/]+\/(?:rest|cwxapiextension)\//.test(path);
}

function parametersIn(query: string): string[] {
  if (query === '') return ['no query'];
  return query.split('&').flatMap(pair => {
    const [name = '', value = ''] = pair.split('=');
    if (/^(?:true|false)$/i.test(value)) return [`${name} ${value.toLowerCase()}`];
    const parts = [/,|%2C/i, /\./].flatMap((part, i) =>
      part.test(value) ? [`${name} with ${i === 0 ? 'a list' : 'a dot'}`] : [],
    );
    return [`${name} ${value === '' ? 'empty' : 'given'}`, ...parts];
  });
}

/** Whether it tells how a body is sent, not what is in it or what it is sent to. */
export function isOfForm(circumstance: string): boolean {
  return circumstance === 'charset' || circumstance.startsWith('method ');
}

function fieldsIn(body: unknown): string[] {
  if (body === undefined) return ['no body'];
  if (Array.isArray(body)) return [`${sizeOf(body)} elements`];
  if (!isObject(body)) return ['no JSON'];
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value) && value.length > 0);
  const listed = lists.map(([name]) => name).sort();
  const each = Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) ? [`${sizeOf(value)} ${name}`] : [`${name} is a ${typeof value}`],
  );
  const isTwice = (value: unknown) => Array.isArray(value) && new Set(value).size < value.length;
  return [
    ...each,
    ...(Object.values(body).some(isTwice) ? ['a name twice'] : []),
    `lists ${listed.join(' ')}`,
    `named ${listed.filter(name => name === 'users' || name === 'groups').join(' ')}`,
    `items ${listed.filter(name => name === 'filters' || name === 'dashboards').join(' ')}`,
  ];
}

function sizeOf({ length }: readonly unknown[]): string {
  return length === 0 ? 'no' : length === 1 ? 'one' : 'several';
}
