// The types of the world's JSON form, a complete fixture. form.ts reads and writes it.
import type { Licence, SidebarLink } from '../world/world.js';

export interface NamesForm {
  users: string[];
  groups: string[];
}
export interface UserForm {
  displayName: string;
  password?: string;
  token?: string;
  admin: boolean;
}
export interface SpaceForm {
  name: string;
  admins: string[];
  sidebar: SidebarLink[];
}
export interface PageForm {
  space: string;
  title: string;
  body: string;
  author: string;
  created: string;
  updatedBy: string;
  updated: string;
  version: number;
  position: number;
  edit: NamesForm;
  view: NamesForm;
}
export interface ItemForm {
  name: string;
  owner: string;
  sharedWith: 'everyone' | 'nobody' | NamesForm;
}
export interface FavouritesForm {
  filters: number[];
  dashboards: number[];
}

/** Optional parts of a record, which have defaults. */
export type Sparse<T> = {
  [K in keyof T]?: T[K] extends NamesForm
    ? Partial<NamesForm>
    : T[K] extends ItemForm['sharedWith']
      ? 'everyone' | 'nobody' | Partial<NamesForm>
      : T[K];
};

/** The form of each kind of record by collection. */
export interface Forms {
  users: UserForm;
  groups: string[];
  spaces: SpaceForm;
  pages: PageForm;
  filters: ItemForm;
  dashboards: ItemForm;
  favourites: FavouritesForm;
}
export type CollectionName = keyof Forms;
export type SparseForm<C extends CollectionName> = C extends 'groups' ? string[] : Sparse<Forms[C]>;

export type WorldForm = { [C in CollectionName]: Record<string, Forms[C]> } & {
  licence: { ppf: Licence };
  nextPageId: number;
};
/** A fixture: any part of a world, with defaults for the rest. */
export type SparseWorldForm = { [C in CollectionName]?: Record<string, SparseForm<C>> } & {
  licence?: { ppf?: Licence };
  nextPageId?: number;
};
