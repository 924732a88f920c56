// The parts that most faults are made of: conditions about a request, and the usual kinds of change.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import type { World } from '../../../server/domain/world/world.js';
import type { Asked, Change, ServerFault } from './server-fault.js';

export type When = (asked: Asked) => boolean;
export type BodyFields = Readonly<Record<string, unknown>>;
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
export const not =
  (when: When): When =>
  asked =>
    !when(asked);
export const hasBody: When = ({ body = '' }) => body.length > 0;
export const isByAdmin: When = ({ caller }) => caller.isAdmin;

/** The fields of a body that is an object. */
export function fieldsOf({ json }: Pick<Asked, 'json'>): BodyFields {
  return isObject(json) ? json : {};
}

/** The list in a field of the body; empty if there is none. */
export function listIn(asked: Pick<Asked, 'json'>, name: string): List {
  const list = fieldsOf(asked)[name];
  return Array.isArray(list) ? list : [];
}

/** Whether a list of the body has an element. */
export function has(name: string): When {
  return asked => listIn(asked, name).length > 0;
}

/** Whether a list of the body has more than one element. */
export function hasSeveral(...names: readonly string[]): When {
  return asked => names.some(name => listIn(asked, name).length > 1);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The first name that there is besides one. */
export function otherThan(name: unknown, names: Iterable<string>): string | undefined {
  return [...names].filter(one => one !== name).sort()[0];
}

function isSuccess({ status }: { readonly status: number }): boolean {
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
export function readsFields(when: When, change: (fields: BodyFields, asked: Asked) => BodyFields): Change {
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
  return {
    ...doesNothing(when),
    response: (response, asked) => (isSuccess(response) && when(asked) ? { status, text: '' } : {}),
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
export function sends(when: When, change: (body: BodyFields, asked: Asked) => unknown): Change {
  return {
    response: ({ status, text }, asked) => {
      const body = status === 200 && when(asked) ? parsedJson(text) : undefined;
      if (!isObject(body)) return {};
      const json = change(body, asked);
      return JSON.stringify(json) === text ? {} : { json };
    },
  };
}

/** Makes something else of the world wherever a request has been carried out. */
export function makes(when: When, change: (after: World, asked: Asked) => World): Change {
  return { world: (after, _, asked) => (when(asked) && isSuccess(asked.response) ? change(after, asked) : after) };
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

/** A change of these requests only. */
export function onlyWhen(when: When, { request, response, world }: Change): Change {
  return {
    ...(request && { request: asked => (when(asked) ? request(asked) : {}) }),
    ...(response && { response: (right, asked) => (when(asked) ? response(right, asked) : {}) }),
    ...(world && { world: (after, before, asked) => (when(asked) ? world(after, before, asked) : after) }),
  };
}
