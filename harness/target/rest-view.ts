// A foreign server's world as a scenario expects it: read through the REST API, in the names of the fixture. Names that are not mapped are left out.
import type { CollectionName } from '../../server/domain/form/form-shapes.js';
import { isObject } from '../../server/domain/form/patch.js';
import type { Permission } from '../../server/domain/world/world.js';
import type { SeenRecord, WorldView } from '../../server/scenario/play/target.js';
import type { NameKind, NamesThere } from '../names/name-map.js';
import type { PageText, RestApi, State } from './rest-api.js';

export type TextField = keyof PageText;
const textFields = ['title', 'body', 'author', 'created'] as const satisfies readonly TextField[];

export interface ViewOptions {
  readonly names: NamesThere;
  /** The value of `${run}`: names that contain it belong to the run. */
  readonly run: string;
  /** Fields in which the server's pages equal the fixture's: others say nothing about a copy. */
  readonly alike: readonly TextField[];
  /** The space of each page that a scenario creates, by the id that the fixture assigns. */
  readonly created?: ReadonlyMap<string, string>;
}

/** The fields in which all mapped pages of a server equal those of the fixture. */
export async function alikeFields(api: RestApi, names: NamesThere): Promise<readonly TextField[]> {
  const view = new RestView(api, { names, run: '', alike: textFields });
  let alike: readonly TextField[] = textFields;
  const pages = [...names.world.pages];
  const all = await Promise.all(pages.map(([id, page]) => view.see('pages', id, page)));
  for (const [i, [, page]] of pages.entries()) {
    const seen = all[i];
    if (seen !== undefined && seen.value === undefined) continue; // there is no such page
    const value = seen?.value;
    alike = alike.filter(field => isObject(value) && value[field] === page[field]);
  }
  return alike;
}

export class RestView implements WorldView {
  constructor(
    private readonly api: RestApi,
    private readonly options: ViewOptions,
  ) {}

  /** `undefined` also if nothing of what is expected can be read. */
  async see(collection: CollectionName, key: string, expected: unknown): Promise<SeenRecord | undefined> {
    const seen = await this.#record(collection, key, expected);
    const isShown = (field: string) =>
      field.startsWith('$') || (isObject(seen?.value) && Object.hasOwn(seen.value, field));
    const isHidden = isObject(seen?.value) && isObject(expected) && !Object.keys(expected).some(isShown);
    return isHidden ? undefined : seen;
  }

  async #record(collection: CollectionName, key: string, expected: unknown): Promise<SeenRecord | undefined> {
    switch (collection) {
      case 'groups':
        return this.#group(key);
      case 'spaces':
        return this.#space(key);
      case 'pages':
        return this.#page(key, expected);
      case 'favourites':
        return this.#favourites(key, isObject(expected) ? Object.keys(expected) : []);
      default:
        return undefined;
    }
  }

  async #group(name: string): Promise<SeenRecord | undefined> {
    const real = this.options.names.real('group', name);
    const state = real === undefined ? undefined : await this.api.state('members', real);
    return state === undefined ? undefined : { value: state === null ? undefined : this.#own('user', state.users) };
  }

  async #space(key: string): Promise<SeenRecord | undefined> {
    const { names } = this.options;
    const real = names.real('space', key);
    const name = real === undefined ? undefined : await this.api.spaceName(real);
    if (name === undefined) return undefined;
    return { value: name === null ? undefined : { name: names.fixture('space name', name) ?? name } };
  }

  async #page(id: string, expected: unknown): Promise<SeenRecord | undefined> {
    const { names, created } = this.options;
    const space = created?.get(id);
    const known = names.world.pages.has(id) ? names.real('page', id) : undefined;
    const real = space === undefined ? known : await this.api.onlyPageOf(space);
    if (real === undefined) return undefined;
    const wanted = isObject(expected) ? Object.keys(expected) : [...textFields];
    const isWanted = (...some: readonly string[]) => some.some(field => wanted.includes(field));
    const text = isWanted(...textFields) ? await this.api.page(real) : {};
    const restrictions = isWanted('view', 'edit') ? await this.api.state('restrictions', real) : undefined;
    if (text === undefined) return undefined;
    if (text === null) return { value: undefined };
    return {
      value: {
        ...(space !== undefined && { space }),
        ...this.#text(text),
        ...(restrictions && { view: this.#names(restrictions, 'view'), edit: this.#names(restrictions, 'edit') }),
      },
    };
  }

  #text({ title, author, ...others }: PageText): PageText {
    const { names, alike } = this.options;
    const user = author === undefined ? undefined : names.fixture('user', author);
    const all: PageText = {
      ...others,
      ...(title !== undefined && { title: names.fixture('page title', title) ?? title }),
      ...(user !== undefined && { author: user }),
    };
    return Object.fromEntries(Object.entries(all).filter(([field]) => alike.some(one => one === field)));
  }

  /** A list that is not expected is not read. */
  async #favourites(user: string, lists: readonly string[]): Promise<SeenRecord | undefined> {
    const { names } = this.options;
    const real = names.world.users.has(user) ? names.real('user', user) : undefined;
    if (real === undefined) return undefined;
    const state = await (lists.length === 1 ? this.api.favourites(real, lists) : this.api.state('favourites', real));
    if (!state) return undefined;
    const { filters, dashboards } = state;
    const ids = (kind: NameKind, list: State[string]) =>
      this.#own(kind, list)
        .map(Number)
        .sort((a, b) => a - b);
    return {
      value: {
        ...(filters && { filters: ids('filter', filters) }),
        ...(dashboards && { dashboards: ids('dashboard', dashboards) }),
      },
    };
  }

  #names(state: State, permission: Permission): { readonly users: string[]; readonly groups: string[] } {
    const { [`${permission}.users`]: users, [`${permission}.groups`]: groups } = state;
    return { users: this.#own('user', users), groups: this.#own('group', groups) };
  }

  #own(kind: NameKind, real: State[string] = []): string[] {
    const { names, run } = this.options;
    const found = real.map(String);
    return found.flatMap(name => names.fixture(kind, name) ?? (name.includes(run) ? [name] : [])).sort();
  }
}
