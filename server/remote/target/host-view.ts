// A view of a foreign server's world through its hosts' own REST resources, read-only, in the names of the fixture. Unmapped things are left out.

import type { CollectionName } from '../../domain/form/form-shapes.js';
import { isObject } from '../../domain/form/patch.js';
import type { Page } from '../../domain/world.js';
import type { AnyOperationId } from '../../operations/catalog.js';
import { type Output, writeLine } from '../../process/command-process.js';
import type { Step } from '../../scenario/format/step-format.js';
import { requestOf } from '../../scenario/play/asking.js';
import { bodyOf } from '../../scenario/play/judging.js';
import type { SeenRecord, Target, WorldView } from '../../scenario/play/target.js';
import type { Planned } from '../changes/plan.js';
import type { Mapped } from '../names/mapped-steps.js';
import type { NameKind, NamesThere } from '../names/name-map.js';

/** Compared fields of a page, besides its space and permissions. */
const comparable = ['title', 'body', 'author', 'created'] as const;
type Comparable = (typeof comparable)[number];

/** The readable hosts, and the page fields in which they equal the fixture: other fields say nothing about a copy. */
export interface Shown {
  readonly wiki: boolean;
  readonly tracker: boolean;
  readonly alike: readonly Comparable[];
}

export const NOTHING: Shown = { wiki: false, tracker: false, alike: [] };

/** Credentials and names. */
export interface Reader {
  readonly target: Target;
  readonly names: NamesThere;
  /** The value of `${run}`: names containing it belong to the run. */
  readonly run: string;
}

/** Detects the hosts of a server. Changes nothing. */
export async function shownBy(reader: Reader): Promise<Shown> {
  const { names } = reader;
  const { world } = names;
  const hosts = new Hosts(reader);
  const [space = ''] = [...world.spaces.keys()].sort();
  const key = names.real('space', space) ?? space;
  const [there, myself] = await Promise.all([
    hosts.get('hosts.wiki-space', { path: { key } }),
    hosts.get('hosts.tracker-myself', {}),
  ]);
  const wiki = isObject(there.body) && there.body.key === key;
  const tracker = isObject(myself.body) && myself.body.name === hosts.admin;
  const view = new HostView(reader, { wiki, tracker, alike: comparable });
  const pages = await Promise.all(
    [...world.pages].map(async ([id, page]) => [page, await view.see('pages', id)] as const),
  );
  const isAlike = (field: Comparable) =>
    pages.every(([page, seen]) => isObject(seen?.value) && seen.value[field] === page[field]);
  return { wiki, tracker, alike: comparable.filter(isAlike) };
}

/** Whether the tracker knows a user with this password. Changes nothing. */
export async function isInTracker(reader: Reader, user: string): Promise<boolean> {
  const { status, body } = await new Hosts(reader).get('hosts.tracker-myself', { as: user });
  return status === 200 && isObject(body) && body.name === user;
}

/** Prints the hosts that are read. */
export function printShown(output: Output, { wiki, tracker }: Shown): void {
  const hosts = [...(wiki ? ['the wiki'] : []), ...(tracker ? ['the tracker'] : [])].join(' and ');
  if (hosts !== '') writeLine(output, `What has changed is also read back through the resources of ${hosts} itself.`);
}

/** The views for a probe, which lists its own creations. */
export function viewsOf(
  planned: readonly Planned[],
  reader: Reader,
  shown: Shown,
): (probe: Mapped) => WorldView | undefined {
  const views = new Map(planned.map(({ mapped, made }) => [mapped, new HostView(reader, shown, made)]));
  return probe => (shown.wiki || shown.tracker ? views.get(probe) : undefined);
}

const PAGE_PARTS = [
  'space',
  'history',
  'body.storage',
  ...['read', 'update'].flatMap(what => [
    `restrictions.${what}.restrictions.user`,
    `restrictions.${what}.restrictions.group`,
  ]),
].join(',');
const MOST = 200;

export class HostView implements WorldView {
  readonly #hosts: Hosts;

  /** `made`: pages that a run creates, by the id that the fixture would assign, with their space if they are alone in it. */
  constructor(
    private readonly reader: Reader,
    private readonly shown: Shown,
    private readonly made: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#hosts = new Hosts(reader);
  }

  async see(name: CollectionName, key: string): Promise<SeenRecord | undefined> {
    const { wiki, tracker } = this.shown;
    if (name === 'groups' && wiki) return this.#group(key);
    if (name === 'spaces' && wiki) return this.#space(key);
    if (name === 'pages' && wiki) return this.#page(key);
    return name === 'favourites' && tracker ? this.#favourites(key) : undefined;
  }

  async #group(group: string): Promise<SeenRecord | undefined> {
    const real = this.reader.names.real('group', group);
    if (real === undefined) return undefined;
    const { status, body } = await this.#hosts.get('hosts.wiki-group-members', {
      path: { name: real },
      query: { limit: MOST },
    });
    if (status === 404) return { value: undefined };
    const members = resultsIn(body);
    return members.length < MOST && status === 200 ? { value: this.#all('user', members, 'username') } : undefined;
  }

  async #space(space: string): Promise<SeenRecord | undefined> {
    const real = this.reader.names.real('space', space);
    if (real === undefined) return undefined;
    const { status, body } = await this.#hosts.get('hosts.wiki-space', { path: { key: real } });
    if (status === 404) return { value: undefined };
    if (!isObject(body) || typeof body.name !== 'string') return undefined;
    return { value: { name: this.reader.names.fixture('space name', body.name) ?? body.name } };
  }

  async #page(id: string): Promise<SeenRecord | undefined> {
    const space = this.made.get(id);
    if (space !== undefined) return this.#madePage(space);
    const real = this.reader.names.world.pages.has(id) ? this.reader.names.real('page', id) : undefined;
    if (real === undefined) return undefined;
    const { status, body } = await this.#hosts.get('hosts.wiki-content', {
      path: { id: real },
      query: { expand: PAGE_PARTS },
    });
    return status === 200 && isObject(body) ? { value: this.#pageIn(body) } : undefined;
  }

  /** In a space with several pages they cannot be matched. */
  async #madePage(space: string): Promise<SeenRecord | undefined> {
    const { body } = await this.#hosts.get('hosts.wiki-contents', {
      query: { spaceKey: space, expand: PAGE_PARTS, limit: 2 },
    });
    const [only, ...others] = resultsIn(body);
    return only === undefined || others.length > 0 ? undefined : { value: this.#pageIn(only) };
  }

  #pageIn(page: Readonly<Record<string, unknown>>): object {
    const title = valueIn(page, 'title');
    const author = valueIn(page, 'history', 'createdBy', 'username');
    const { names } = this.reader;
    const all = {
      title: typeof title === 'string' ? (names.fixture('page title', title) ?? title) : undefined,
      body: valueIn(page, 'body', 'storage', 'value'),
      author: typeof author === 'string' ? names.fixture('user', author) : undefined,
      created: instantIn(valueIn(page, 'history', 'createdDate')),
    };
    const known = Object.entries(all).filter(
      ([field, value]) => value !== undefined && this.shown.alike.some(one => one === field),
    );
    const restricted = (what: 'read' | 'update') => ({
      users: this.#all('user', resultsIn(valueIn(page, 'restrictions', what, 'restrictions', 'user')), 'username'),
      groups: this.#all('group', resultsIn(valueIn(page, 'restrictions', what, 'restrictions', 'group')), 'name'),
    });
    const hasRestrictions = isObject(valueIn(page, 'restrictions', 'read'));
    return {
      ...Object.fromEntries(known),
      ...(hasRestrictions && { view: restricted('read'), edit: restricted('update') }),
    } satisfies Partial<Record<keyof Page, unknown>>;
  }

  async #favourites(user: string): Promise<SeenRecord | undefined> {
    const { names } = this.reader;
    const as = names.world.users.has(user) ? names.real('user', user) : undefined;
    if (as === undefined || !names.passwords.has(as)) return undefined;
    const [filters, dashboards] = await Promise.all([
      this.#hosts.get('hosts.tracker-favourite-filters', { as }),
      this.#hosts.get('hosts.tracker-dashboards', { as, query: { filter: 'favourite', maxResults: MOST } }),
    ]);
    if (filters.status !== 200 || dashboards.status !== 200) return undefined;
    return {
      value: {
        filters: this.#ids('filter', filters.body),
        dashboards: this.#ids('dashboard', valueIn(dashboards.body, 'dashboards')),
      },
    };
  }

  #ids(kind: NameKind, items: unknown): number[] {
    return this.#all(kind, objectsIn(items), 'id')
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** By name in the fixture. */
  #all(kind: NameKind, entities: readonly Readonly<Record<string, unknown>>[], field: string): string[] {
    const { names, run } = this.reader;
    const found = entities.map(entity => String(entity[field]));
    return found.flatMap(name => names.fixture(kind, name) ?? (name.includes(run) ? [name] : [])).sort();
  }
}

/** The hosts' resources, requested as the admin unless another user is given. */
class Hosts {
  readonly admin: string;

  constructor(private readonly reader: Reader) {
    this.admin = reader.names.adminThere;
  }

  async get(
    call: AnyOperationId,
    { as = this.admin, ...parts }: Pick<Step, 'path' | 'query'> & { readonly as?: string },
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const { target, names } = this.reader;
    const { passwords, world } = names;
    const asking = { world, passwords, context: target.context, readings: {}, asksReadings: false };
    const request = requestOf({ say: '', call, as, ...parts }, asking);
    if (request === undefined) throw new Error(`${call} is no request`);
    const answer = await target.send(request);
    return { status: answer.status, body: bodyOf(answer) };
  }
}

function valueIn(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, field) => (isObject(inner) ? inner[field] : undefined), value);
}

/** As fixtures write it: UTC, without milliseconds if there are none. */
function instantIn(value: unknown): string | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().replace('.000Z', 'Z');
}

function resultsIn(page: unknown): Array<Readonly<Record<string, unknown>>> {
  return objectsIn(valueIn(page, 'results'));
}

function objectsIn(list: unknown): Array<Readonly<Record<string, unknown>>> {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
