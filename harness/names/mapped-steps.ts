// Translates a scenario to the names on a foreign server. Steps that cannot be translated get a reason.

import { formOf } from '../../server/domain/form/form.js';
import { isObject, patchBetween } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { ANONYMOUS, type World } from '../../server/domain/world/world.js';
import { decodedInQuery } from '../../server/engine/percent.js';
import type { As, RawRequest, Step } from '../../server/scenario/format/step-format.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import type { NameKind, NamesThere } from './name-map.js';

/** A scenario for the server. */
export interface Mapped {
  readonly loaded: Loaded;
  /** By index, why a step cannot be played there. */
  readonly reasons: ReadonlyMap<number, string>;
  /** The names in the request of each step. */
  readonly named: ReadonlyArray<readonly Named[]>;
}

/** A name of the fixture, with its kind. */
export type Named = readonly [kind: NameKind, name: string];

/** The kind of name in each field of the operations. */
const fields: ReadonlyMap<string, NameKind | 'text'> = new Map([
  ['users', 'user'],
  ['targetSpaceAdmin', 'user'],
  ['groups', 'group'],
  ['group', 'group'],
  ['spaceKey', 'space'],
  ['sourceSpaceKey', 'space'],
  ['targetSpaceKey', 'space'],
  ['spaceName', 'space name'],
  ['targetSpaceTitle', 'space name'],
  ['pageId', 'page'],
  ['pageTitle', 'page title'],
  ['filters', 'filter'],
  ['dashboards', 'dashboard'],
  ['oldText', 'text'],
  ['newText', 'text'],
]);

/** The scenario with the names of the server. */
export function mapped(loaded: Loaded, names: NamesThere): Mapped {
  const reasons = new Map<number, string>();
  const otherWorld = otherWorldIn(loaded, names.world);
  const named: Array<readonly Named[]> = [];
  const steps = loaded.steps.map((step, i) => {
    const renaming = new Renaming(names);
    const renamed = renaming.step(step);
    named.push(renaming.named);
    const [reason] = otherWorld === undefined ? renaming.reasons : [otherWorld];
    if (reason !== undefined) reasons.set(i, reason);
    return renamed;
  });
  return { loaded: { ...loaded, steps }, reasons, named };
}

/** Maximum number of records of a world to compare. */
const MAX_RECORDS = 1000;
const MAX_REPORTED = 80;

/** Only the fixture's world can be set up there. The server knows its own licence. */
function otherWorldIn({ origin }: Loaded, fixture: World): string | undefined {
  const { world } = origin;
  if (world === fixture) return undefined;
  const lacks = (what: string) => `it requires a world with ${what}, which no documented operation can create`;
  if (world.users.size > MAX_RECORDS || world.pages.size > MAX_RECORDS)
    return lacks(`${world.users.size} users and ${world.pages.size} pages`);
  const patch = patchBetween(formOf(fixture), formOf({ ...world, licence: fixture.licence }));
  const [first] = isObject(patch) ? Object.entries(patch) : [];
  if (first === undefined) return undefined;
  const [name, value] = first;
  const shown = JSON.stringify(value);
  return lacks(shown.length > MAX_REPORTED ? `other ${name}` : `${name} ${shown}`);
}

/** One step during translation. */
class Renaming {
  readonly reasons = new Set<string>();
  /** Names in the request. */
  readonly named: Named[] = [];

  constructor(private readonly names: NamesThere) {}

  step(step: Step): Step {
    const { as, path, query, body, request } = step;
    return {
      ...step,
      ...(as !== undefined && { as: this.#caller(as) }),
      ...(path !== undefined && { path: this.#value(path) as NonNullable<Step['path']> }), // the same object with other names in it
      ...(query !== undefined && { query: this.#value(query) as NonNullable<Step['query']> }), // a query stays a query
      ...(body !== undefined && { body: this.#value(body) }),
      ...(request !== undefined && { request: this.#request(request) }),
    };
  }

  #caller(as: As): As {
    if (as === ANONYMOUS) return as;
    if (typeof as === 'string') return this.#user(as);
    const { world, areGiven } = this.names;
    if ('token' in as) {
      const owner = world.tokens.get(as.token);
      if (owner !== undefined && areGiven) this.reasons.add(`no token is known for ${owner} on that server`);
      return as;
    }
    if (world.users.get(as.user)?.password === as.password) return this.#user(as.user);
    return { ...as, user: this.#real('user', as.user) };
  }

  /** A caller with the right password. */
  #user(name: string): string {
    const real = this.#real('user', name);
    if (this.names.areGiven && !this.names.passwords.has(real)) {
      const whom = real === name ? name : `${real} (mapped from ${name})`;
      this.reasons.add(`no password is known for ${whom}: give --as ${real}:password`);
    }
    return real;
  }

  #name(kind: NameKind, name: string): string {
    this.named.push([kind, name]);
    return this.#real(kind, name);
  }

  #real(kind: NameKind, name: string): string {
    const real = this.names.real(kind, name);
    if (real === undefined) this.reasons.add(`the map has no ${kind} ${JSON.stringify(name)}`);
    return real ?? name;
  }

  #value(value: unknown, kind?: NameKind | 'text'): unknown {
    if (typeof value === 'string') return this.#text(value, kind);
    if (typeof value === 'number' && kind !== undefined && kind !== 'text') return this.#number(value, kind);
    if (Array.isArray(value)) return value.map(element => this.#value(element, kind));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#value(inner, fields.get(key))]));
  }

  /** A number here may or may not be the id of a page. */
  #number(value: number, kind: NameKind): unknown {
    const real = this.#name(kind, String(value));
    return real === String(value) ? value : kind === 'page' ? real : Number(real);
  }

  /** A search text may be the title of a page, but usually is not. */
  #text(text: string, kind?: NameKind | 'text'): string {
    if (kind === undefined) return text;
    return kind === 'text' ? (this.names.real('page title', text) ?? text) : this.#name(kind, text);
  }

  #request(request: RawRequest): RawRequest {
    const { path, body } = request;
    return {
      ...request,
      path: this.#path(path),
      ...(typeof body === 'string' && { body: this.#json(body) }),
    };
  }

  #path(path: string): string {
    const [place = '', ...queries] = path.split('?');
    const renamed = place.replace(
      /(\/permissions\/(?:edit|view|all)\/)([^/]+)/,
      (_, before: string, id: string) => `${before}${this.#encoded(id, 'page')}`,
    );
    return [renamed, ...queries.map(query => this.#query(query))].join('?');
  }

  #query(query: string): string {
    return query
      .split('&')
      .map(pair => {
        const [name = '', ...value] = pair.split('=');
        const kind = fields.get(name);
        return kind === undefined || value.length === 0 ? pair : `${name}=${this.#encoded(value.join('='), kind)}`;
      })
      .join('&');
  }

  /** Unchanged and undecodable values stay as written. */
  #encoded(written: string, kind: NameKind | 'text'): string {
    const text = decodedInQuery(written);
    if (text === undefined) return written;
    const renamed = this.#text(text, kind);
    return renamed === text ? written : encodeURIComponent(renamed);
  }

  #json(body: string): string {
    const value = parsedJson(body);
    if (value === undefined) return this.#broken(body);
    const renamed = JSON.stringify(this.#value(value));
    return renamed === JSON.stringify(value) ? body : renamed;
  }

  /** A body that is not JSON has no fields: users and groups are found by their names in quotes. */
  #broken(body: string): string {
    return body.replace(/"([^"\\]*)"/g, (quoted, name: string) => {
      const { world } = this.names;
      const kind = world.groups.has(name) ? 'group' : world.users.has(name) ? 'user' : undefined;
      return kind === undefined ? quoted : JSON.stringify(this.#name(kind, name));
    });
  }
}
