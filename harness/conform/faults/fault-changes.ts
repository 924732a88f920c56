// The parts that most faults are made of: conditions about a request, and the usual kinds of change.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { evolveAll, type Fact } from '../../../server/domain/facts.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import type { World } from '../../../server/domain/world/world.js';
import type { Asked, Change, ServerFault } from './server-fault.js';

export type When = (asked: Asked) => boolean;
export type Fields = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/** The faults that break a rule, or several at once, by what they do. */
export function breaking(rule: string | readonly string[], changes: Readonly<Record<string, Change>>): ServerFault[] {
  return Object.entries(changes).map(([says, change]) => ({ says, rules: [rule].flat(), change }));
}

/** Requests to one of these places. A place that ends with a slash stands for all below it. */
export function at(...places: readonly string[]): When {
  return ({ place }) => places.some(one => place === one || (one.endsWith('/') && place.startsWith(one)));
}

export const both =
  (...conditions: readonly When[]): When =>
  asked =>
    conditions.every(when => when(asked));
export const anyOf =
  (...conditions: readonly When[]): When =>
  asked =>
    conditions.some(when => when(asked));
export const not =
  (when: When): When =>
  asked =>
    !when(asked);
export const hasBody: When = ({ body = '' }) => body.length > 0;
export const isAdmin: When = ({ caller }) => caller.isAdmin;

/** The fields of a body that is an object. */
export function fieldsOf({ json }: Pick<Asked, 'json'>): Fields {
  return isObject(json) ? json : {};
}

/** The list in a field of the body; empty if there is none. */
export function listIn(asked: Pick<Asked, 'json'>, name: string): List {
  const list = fieldsOf(asked)[name];
  return Array.isArray(list) ? list : [];
}

export function textsIn(asked: Pick<Asked, 'json'>, name: string): string[] {
  return listIn(asked, name).filter(isText);
}

/** Whether a list of the body has an element. */
export function has(name: string): When {
  return asked => listIn(asked, name).length > 0;
}

/** Whether a list of the body has more than one element. */
export function hasSeveral(...names: readonly string[]): When {
  return asked => names.some(name => listIn(asked, name).length > 1);
}

const types = {
  text: isText,
  texts: (value: unknown) => Array.isArray(value) && value.every(isText),
  ids: (value: unknown) => Array.isArray(value) && value.every(Number.isInteger),
};

/** Whether the body or one of these fields has another type than it should have. `null` is left to a gap. */
export function isMistyped(
  fields: Readonly<Record<string, keyof typeof types>>,
): (asked: Pick<Asked, 'json'>) => boolean {
  return asked =>
    (asked.json !== undefined && asked.json !== null && !isObject(asked.json)) ||
    Object.entries(fields).some(([name, type]) => {
      const value = fieldsOf(asked)[name] ?? undefined;
      return value !== undefined && !types[type](value);
    });
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The first name that there is besides one. */
export function otherThan(name: unknown, names: Iterable<string>): string | undefined {
  return [...names].filter(one => one !== name).sort()[0];
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status < 300;
}

export function asksInstead(
  when: When,
  change: (asked: Asked) => Partial<HttpRequest> & { readonly json?: unknown },
): Change {
  return { request: asked => (when(asked) ? change(asked) : {}) };
}

export function reads(when: When, change: (json: unknown, asked: Asked) => unknown): Change {
  return asksInstead(when, asked => {
    if (asked.json === undefined) return {};
    const json = change(asked.json, asked);
    return JSON.stringify(json) === JSON.stringify(asked.json) ? {} : { json };
  });
}

/** Reads other fields in a body that is an object. */
export function readsFields(when: When, change: (fields: Fields, asked: Asked) => Fields): Change {
  return reads(when, (json, asked) => (isObject(json) ? change(json, asked) : json));
}

/** Reads a field under another name only. */
export function readsAs(when: When, name: string, other: string): Change {
  return readsFields(when, ({ [name]: _, [other]: value, ...fields }) =>
    value === undefined ? fields : { ...fields, [name]: value },
  );
}

/** Reads other elements in these lists of the body. */
export function readsLists(when: When, names: readonly string[], change: (list: List, asked: Asked) => List): Change {
  return readsFields(when, (fields, asked) => {
    const lists = names.filter(name => Array.isArray(fields[name]));
    return { ...fields, ...Object.fromEntries(lists.map(name => [name, change(listIn(asked, name), asked)])) };
  });
}

export const onlyFirst = (list: List): List => list.slice(0, 1);
/** Takes a single value in these fields for a list of it. */
export function takesOneForList(when: When, ...names: readonly string[]): Change {
  return readsFields(when, fields => {
    const single = names.filter(name => isText(fields[name]) || Number.isInteger(fields[name]));
    return { ...fields, ...Object.fromEntries(single.map(name => [name, [fields[name]]])) };
  });
}

export function readsQuery(when: When, change: (query: URLSearchParams, asked: Asked) => void): Change {
  return asksInstead(when, asked => {
    const query = new URLSearchParams(asked.query);
    change(query, asked);
    if (`${query}` === `${asked.query}`) return {};
    return { path: [pathOf(asked), `${query}`].filter(part => part !== '').join('?') };
  });
}

export function pathOf({ path }: Pick<Asked, 'path'>): string {
  return path.split('?', 1)[0] ?? '';
}

/** Does what is asked for at another place. */
export function servesAs(when: When, from: string, to: string, method?: string): Change {
  return asksInstead(when, ({ path }) => ({ path: path.replace(from, to), ...(method !== undefined && { method }) }));
}

/** Has nothing at an address. */
export function lacks(when: When): Change {
  return asksInstead(when, () => ({ path: '/nothing-there' }));
}

/** Answers as usual, and changes nothing. */
export function doesNothing(when: When): Change {
  return { world: (after, before, asked) => (when(asked) ? before : after) };
}

/** Refuses valid requests. */
export function refuses(when: When, status = 400): Change {
  return { ...doesNothing(when), ...refusesAfterwards(when, status) };
}

/** Refuses valid requests, but carries them out. */
export function refusesAfterwards(when: When, status = 400): Change {
  return { response: (response, asked) => (isSuccess(response) && when(asked) ? { status, text: '' } : {}) };
}

/** Reports success to requests that it should have refused with `status`, if given. */
export function accepts(when: When, json: unknown = {}, status?: number): Change {
  return {
    response: (response, asked) => {
      const isRefused = status === undefined ? response.status >= 400 : response.status === status;
      return isRefused && when(asked) ? { status: 200, json } : {};
    },
  };
}

/** Responds with another status, and with another text if given. */
export function respondsWith(when: When, from: number, to: number, text?: string): Change {
  return {
    response: ({ status }, asked) =>
      status === from && when(asked) ? { status: to, ...(text !== undefined && { text }) } : {},
  };
}

/** Sends another body where a correct server sends an object with 200. */
export function sends(when: When, change: (body: Fields, asked: Asked) => unknown): Change {
  return {
    response: ({ status, text }, asked) => {
      const body = status === 200 && when(asked) ? parsedJson(text) : undefined;
      if (!isObject(body)) return {};
      const json = change(body, asked);
      return JSON.stringify(json) === text ? {} : { json };
    },
  };
}

/** A world with the responses that a server remembers. */
interface Remembering extends World {
  readonly remembered?: ReadonlyMap<string, string>;
}

/** Remembers the bodies that it should have sent, the first or the last for each key, and sends something made from them. */
export function remembers(
  when: When,
  keyOf: (asked: Asked) => string,
  keeps: 'first' | 'last',
  sent: (text: string, remembered: string) => string,
): Change {
  const rememberedIn = (world: Remembering) => world.remembered ?? new Map<string, string>();
  return {
    world: (after, before, asked) => {
      const known = rememberedIn(before);
      const key = keyOf(asked);
      if (!when(asked) || !isSuccess(asked.response) || (keeps === 'first' && known.has(key))) return after;
      const remembered = new Map([...known, [key, asked.response.text]]);
      return { ...after, remembered } as World;
    },
    response: (response, asked) => {
      const before = isSuccess(response) && when(asked) ? rememberedIn(asked.world).get(keyOf(asked)) : undefined;
      const text = before === undefined ? response.text : sent(response.text, before);
      return text === response.text ? {} : { text };
    },
  };
}

/** Makes something else of the world wherever a request has been carried out. */
export function makes(when: When, change: (after: World, asked: Asked) => World): Change {
  return { world: (after, _, asked) => (when(asked) && isSuccess(asked.response) ? change(after, asked) : after) };
}

/** Does something more wherever a request has been carried out. */
export function also(when: When, facts: (asked: Asked, after: World) => readonly Fact[]): Change {
  return makes(when, (after, asked) => evolveAll(after, facts(asked, after)));
}

export function sum(...changes: readonly Change[]): Change {
  return {
    ...(changes.some(({ request }) => request) && {
      request: asked => Object.assign({}, ...changes.map(({ request }) => request?.(asked))),
    }),
    response: (response, asked) => Object.assign({}, ...changes.map(one => one.response?.(response, asked))),
    world: (after, before, asked) => changes.reduce((world, one) => one.world?.(world, before, asked) ?? world, after),
  };
}

/** Conditions about responses cost time. */
function changedIf<T extends object>(when: When, changed: T, asked: Asked): T | Record<string, never> {
  return Object.keys(changed).length === 0 || when(asked) ? changed : {};
}

/** A change of these requests only. */
export function onlyWhen(when: When, { request, response, world }: Change): Change {
  return {
    ...(request && { request: asked => changedIf(when, request(asked), asked) }),
    ...(response && { response: (right, asked) => (when(asked) ? response(right, asked) : {}) }),
    ...(world && { world: (after, before, asked) => (when(asked) ? world(after, before, asked) : after) }),
  };
}

/** The same fault on a server that refuses first what it should refuse. */
export function validFirst(fault: ServerFault): ServerFault[] {
  const { request } = fault.change;
  if (request === undefined) return [];
  return [{ ...fault, change: { ...fault.change, ...onlyWhen(asked => !asked.isRefused, { request }) } }];
}
