// The world as persistent collections, so that forking and resetting are pointer copies. Records are frozen objects that are replaced as a whole.
import { Map as PMap, Set as PSet } from 'immutable';

export interface User {
  readonly displayName: string;
  /** Absent: any password is accepted. */
  readonly password?: string;
  /** Personal access token for `Authorization: Bearer`. */
  readonly token?: string;
  readonly admin: boolean;
}

/** Users and groups by name: a permission list of a page, or those an item is shared with. */
export interface Names {
  readonly users: PSet<string>;
  readonly groups: PSet<string>;
}

export interface SidebarLink {
  readonly label: string;
  readonly url: string;
}

export interface Space {
  readonly name: string;
  readonly admins: PSet<string>;
  readonly sidebar: readonly SidebarLink[];
}

export interface Page {
  readonly space: string;
  readonly title: string;
  readonly body: string;
  /** A user name, or `anonymous`. */
  readonly author: string;
  readonly created: string;
  readonly updatedBy: string;
  readonly updated: string;
  readonly version: number;
  /** Sort key of the pages of a space, before their id. */
  readonly position: number;
  /** Empty means unrestricted; otherwise only these may edit. */
  readonly edit: Names;
  readonly view: Names;
}

export interface Item {
  readonly name: string;
  readonly owner: string;
  readonly sharedWith: 'everyone' | 'nobody' | Names;
}

export interface Items {
  readonly filters: PSet<number>;
  readonly dashboards: PSet<number>;
}

export interface Favourites extends Items {
  /** The favourites that became so by a push. Absent: none. */
  readonly pushed?: Items;
}

export type Licence = 'valid' | 'expired' | 'none';
export type Permission = 'edit' | 'view';
export type ItemKind = 'filters' | 'dashboards';

/** The id of the page with a title, or the ids of those that share it. */
export type Titled = string | PSet<string>;

export interface PageIndex {
  /** Another set after a page was added, removed or moved. */
  readonly ids: PSet<string>;
  readonly restricted: PSet<string>;
  readonly byTitle: PMap<string, Titled>;
  /** For a title in lower case, how many titles differ from it in case only, itself included. */
  readonly inAnyCase: PMap<string, number>;
  readonly lastPosition: number;
}

export interface World {
  readonly users: PMap<string, User>;
  readonly groups: PMap<string, PSet<string>>;
  readonly spaces: PMap<string, Space>;
  readonly pages: PMap<string, Page>;
  readonly filters: PMap<number, Item>;
  readonly dashboards: PMap<number, Item>;
  readonly favourites: PMap<string, Favourites>;
  readonly licence: { readonly ppf: Licence };
  /** Higher than the id of every page ever created: ids are never reused. */
  readonly nextPageId: number;
  /** Derived: the owner of each token. */
  readonly tokens: PMap<string, string>;
  /** Derived: the pages of each space. */
  readonly pageIndex: PMap<string, PageIndex>;
  /** Derived: the length of all page bodies. */
  readonly characters: number;
}

/** The name of the caller without credentials, which no user may have. */
export const ANONYMOUS = 'anonymous';

export const noNames: Names = Object.freeze({ users: PSet<string>(), groups: PSet<string>() });
export const noFavourites: Favourites = Object.freeze({ filters: PSet<number>(), dashboards: PSet<number>() });
export const noPages: PageIndex = Object.freeze({
  ids: PSet<string>(),
  restricted: PSet<string>(),
  byTitle: PMap<string, Titled>(),
  inAnyCase: PMap<string, number>(),
  lastPosition: 0,
});

export const emptyWorld: World = Object.freeze({
  users: PMap<string, User>(),
  groups: PMap<string, PSet<string>>(),
  spaces: PMap<string, Space>(),
  pages: PMap<string, Page>(),
  filters: PMap<number, Item>(),
  dashboards: PMap<number, Item>(),
  favourites: PMap<string, Favourites>(),
  licence: Object.freeze({ ppf: 'valid' }),
  nextPageId: 1,
  tokens: PMap<string, string>(),
  pageIndex: PMap<string, PageIndex>(),
  characters: 0,
});

export function withPushed({ filters, dashboards }: Items, pushed: Items): Favourites {
  const isAny = pushed.filters.size + pushed.dashboards.size > 0;
  return Object.freeze({ filters, dashboards, ...(isAny && { pushed: Object.freeze(pushed) }) });
}

export function favouritesOf(world: World, user: string): Favourites {
  return world.favourites.get(user) ?? noFavourites;
}
