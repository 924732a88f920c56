// Reads a foreign server's world through Confluence's and Jira's own REST API, in the server's names. Changes nothing.
import { counted } from '../../server/derive/text/counted.js';
import { isObject } from '../../server/domain/form/patch.js';
import { bodyOf } from '../../server/engine/patterns/match.js';
import type { AnyOperationId } from '../../server/operations/catalog/catalog.js';
import type { Family } from '../../server/operations/operation.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import { requestOfStep } from '../../server/scenario/play/step-request.js';
import type { Target } from '../../server/scenario/play/target.js';
import type { NameKind, NamesThere } from '../names/name-map.js';

export type SubjectKind = 'members' | 'restrictions' | 'favourites';

/**
 * The lists of a subject, sorted: `users` of a group; `view.users`, `view.groups`, `edit.users` and `edit.groups` of a page; `filters` and `dashboards` of a
 * user.
 */
export type State = Readonly<Record<string, ReadonlyArray<string | number>>>;

export interface PageText {
  readonly title?: string;
  readonly body?: string;
  readonly author?: string;
  /** UTC, without milliseconds if there are none. */
  readonly created?: string;
}

export function stateKey(kind: SubjectKind, name: string): string {
  return `${kind} ${name}`;
}

/** Which of the two REST APIs a server has. */
export interface ServedApis {
  readonly confluence: boolean;
  readonly jira: boolean;
}

/** `undefined` everywhere: it cannot be read. */
export class RestApi {
  /** What was read last of each subject, by `stateKey`. Whoever may have changed a subject deletes it. */
  readonly latest = new Map<string, State>();
  /** Why subjects could not be read, by `stateKey`, if there is more to say. */
  readonly problems = new Map<string, string>();
  /** The only page of each space. */
  readonly #onlyPages = new Map<string, string>();

  /** `serves`: default: both. `signal`: ends the reading of long lists. */
  constructor(
    private readonly target: Target & { readonly signal?: AbortSignal | undefined },
    private readonly names: NamesThere,
    readonly serves: ServedApis = { confluence: true, jira: true },
  ) {}

  /** Finds out which of the two a server has. */
  async served(): Promise<ServedApis> {
    const { names } = this;
    const [space] = [...names.world.spaces.keys()].sort().flatMap(key => names.real('space', key) ?? []);
    const { status } = await this.#get('confluence.current-user', {});
    return {
      confluence: status === 200 && (space === undefined || (await this.spaceName(space)) !== undefined),
      jira: await this.isKnownToJira(names.adminThere),
    };
  }

  /** Whether Jira accepts a user with the known password. */
  async isKnownToJira(user: string): Promise<boolean> {
    const { status, body } = await this.#get('jira.myself', { as: user });
    return status === 200 && isObject(body) && body.name === user;
  }

  /** Whether one of the two refuses a user's known password. */
  async refusesPasswordOf(user: string): Promise<boolean> {
    if ((await this.#get('confluence.current-user', { as: user })).status === 401) return true;
    return (await this.#get('jira.myself', { as: user })).status === 401;
  }

  /** The state of a group, page or user; `null`: it does not exist. */
  async state(kind: SubjectKind, name: string): Promise<State | null | undefined> {
    const read = { members: this.#members, restrictions: this.#restrictions, favourites: this.favourites }[kind];
    const state: State | null | undefined = await read.call(this, name);
    if (state) this.latest.set(stateKey(kind, name), state);
    return state;
  }

  async #members(name: string): Promise<State | null | undefined> {
    const { confluence, jira } = this.serves;
    if (!confluence && !jira) return undefined;
    const users = await (confluence
      ? this.#all(stateKey('members', name), 'username', start =>
          this.#get('confluence.group-members', { path: { name }, query: { start, limit: MOST } }),
        )
      : this.trackerMembers(name));
    return users && { users };
  }

  /** The members of a group as Jira knows them; `null`: it does not know the group. */
  trackerMembers(name: string): Promise<readonly string[] | null | undefined> {
    return this.#all(stateKey('members', name), 'name', startAt =>
      this.#get('jira.group-members', { query: { groupname: name, startAt } }),
    );
  }

  /** Whether a product surely lacks a user, group, space or page. */
  async lacks(family: Family, kind: NameKind, name: string): Promise<boolean> {
    if (kind === 'space') return (await this.spaceName(name)) === null;
    if (kind === 'page') return (await this.page(name)) === null;
    if (kind !== 'user' && kind !== 'group') return false;
    if (!(family === 'wiki' ? this.serves.confluence : this.serves.jira)) return false;
    if (kind === 'user' && name !== this.names.adminThere && (await this.lacks(family, kind, this.names.adminThere)))
      return false;
    const product = family === 'wiki' ? 'confluence' : 'jira';
    const parts =
      kind === 'user'
        ? { query: { username: name } }
        : family === 'wiki'
          ? { path: { name } }
          : { query: { groupname: name } };
    return (await this.#get(`${product}.${kind}`, parts)).status === 404;
  }

  async #restrictions(id: string): Promise<State | null | undefined> {
    if (!this.serves.confluence) return undefined;
    const { status, body } = await this.#get('confluence.restrictions', { path: { id } });
    if (status === 404) return null;
    const whole = valueIn(body, 'restrictions') ?? body; // some versions wrap the map
    const lists = (
      [
        ['view', 'read'],
        ['edit', 'update'],
      ] as const
    ).flatMap(([permission, operation]) =>
      (
        [
          ['users', 'user', 'username'],
          ['groups', 'group', 'name'],
        ] as const
      ).map(([list, part, field]) => {
        const names = namesIn(valueIn(whole, operation, 'restrictions', part), field);
        return [`${permission}.${list}`, names] as const;
      }),
    );
    const isWhole = status === 200 && lists.every(([, names]) => names !== undefined);
    return isWhole ? (Object.fromEntries(lists) as State) : undefined; // each list is there
  }

  /** Some lists of favourites, read as the user, whose password has to be known. The two lists are read at the same time. */
  async favourites(user: string, lists: readonly string[] = ['filters', 'dashboards']): Promise<State | undefined> {
    if (!this.serves.jira || !this.names.passwords.has(user)) return undefined;
    const found = await Promise.all(
      lists.map(async list => [list, list === 'filters' ? await this.#filters(user) : await this.#dashboards(user)]),
    );
    return found.every(([, ids]) => ids) ? Object.fromEntries(found) : undefined;
  }

  async #filters(user: string): Promise<number[] | undefined> {
    const { status, body } = await this.#get('jira.favourite-filters', { as: user });
    return status === 200 && Array.isArray(body) ? ids(objectsIn(body).map(({ id }) => id)) : undefined;
  }

  async #dashboards(user: string): Promise<number[] | undefined> {
    const found = await this.#all(stateKey('favourites', user), 'id', startAt =>
      this.#get('jira.dashboards', { as: user, query: { filter: 'favourite', startAt, maxResults: 50 } }),
    );
    return found ? ids(found) : undefined;
  }

  async page(id: string): Promise<PageText | null | undefined> {
    if (!this.serves.confluence) return undefined;
    const { status, body } = await this.#get('confluence.content', { path: { id }, query: { expand: PAGE_PARTS } });
    if (status === 404) return null;
    return status === 200 && isObject(body) ? textOf(body) : undefined;
  }

  /** The id of the only page of a space. */
  async onlyPageOf(space: string): Promise<string | undefined> {
    const known = this.#onlyPages.get(space);
    if (known !== undefined || !this.serves.confluence) return known;
    const { body } = await this.#get('confluence.contents', { query: { spaceKey: space, limit: 2 } });
    const [only, ...others] = objectsIn(valueIn(body, 'results'));
    if (only === undefined || others.length > 0 || typeof only.id !== 'string') return undefined;
    this.#onlyPages.set(space, only.id);
    return only.id;
  }

  /** The name of a space; `null`: there is none. */
  async spaceName(key: string): Promise<string | null | undefined> {
    if (!this.serves.confluence) return undefined;
    const { status, body } = await this.#get('confluence.space', { path: { key } });
    if (status === 404 && isObject(body)) return null;
    return isObject(body) && body.key === key && typeof body.name === 'string' ? body.name : undefined;
  }

  /** A field of all results of a paged resource; `null`: 404. */
  async #all(
    key: string,
    field: string,
    page: (start: number) => Promise<Response>,
  ): Promise<readonly string[] | null | undefined> {
    const found = new Set<string>();
    for (let isLast = false; !isLast; ) {
      const { status, body } = await page(found.size);
      if (status === 404) return null;
      const results = resultsIn(body);
      if (status !== 200 || results === undefined || this.target.signal?.aborted) return undefined;
      const before = found.size;
      for (const one of results) found.add(String(one[field]));
      isLast = results.length === 0 || isLastPage(body, found.size);
      if (isLast || found.size > before) continue;
      this.problems.set(key, `the pages of its list repeat after ${counted(before, 'entry', 'entries')}`);
      return undefined;
    }
    return [...found].sort();
  }

  /** The first entries of a list. */
  async entries(call: AnyOperationId, parts: Asked = {}): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    const { status, body } = await this.#get(call, parts);
    return status === 200 ? (Array.isArray(body) ? objectsIn(body) : (resultsIn(body) ?? [])) : [];
  }

  async #get(call: AnyOperationId, { as = this.names.adminThere, ...parts }: Asked): Promise<Response> {
    const { world, passwords } = this.names;
    const asking = { world, passwords, context: this.target.context, readings: {}, asksReadings: false };
    const request = requestOfStep({ say: '', call, as, ...parts }, asking);
    if (request === undefined) throw new Error(`${call} is not a request`);
    const response = await this.target.send(request);
    return { status: response.status, body: bodyOf(response) };
  }
}

type Asked = Pick<Step, 'path' | 'query'> & { readonly as?: string };
interface Response {
  readonly status: number;
  readonly body: unknown;
}

const MOST = 200;
const PAGE_PARTS = 'history,body.storage';

/** Confluence links the next page, Jira gives the total. */
function isLastPage(body: unknown, count: number): boolean {
  const total = valueIn(body, 'total');
  return typeof total === 'number' ? count >= total : valueIn(body, '_links', 'next') === undefined;
}

/** Confluence's pages have `results`, those of Jira `values` or `dashboards`. */
function resultsIn(body: unknown): Array<Readonly<Record<string, unknown>>> | undefined {
  const list = ['results', 'values', 'dashboards'].map(name => valueIn(body, name)).find(Array.isArray);
  return list && objectsIn(list);
}

/** `undefined`: not on one page. */
function namesIn(page: unknown, field: string): string[] | undefined {
  const results = resultsIn(page);
  const limit = Number(valueIn(page, 'limit') ?? MOST);
  return results === undefined || results.length >= limit ? undefined : results.map(one => String(one[field])).sort();
}

function textOf(page: Readonly<Record<string, unknown>>): PageText {
  const [title, body] = [valueIn(page, 'title'), valueIn(page, 'body', 'storage', 'value')];
  const author = valueIn(page, 'history', 'createdBy', 'username');
  const created = instantOf(valueIn(page, 'history', 'createdDate'));
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof body === 'string' && { body }),
    ...(typeof author === 'string' && { author }),
    ...(created !== undefined && { created }),
  };
}

function instantOf(value: unknown): string | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().replace('.000Z', 'Z');
}

function ids(found: readonly unknown[]): number[] {
  return found.map(Number).sort((a, b) => a - b);
}

function valueIn(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, field) => (isObject(inner) ? inner[field] : undefined), value);
}

function objectsIn(list: unknown): Array<Readonly<Record<string, unknown>>> {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
