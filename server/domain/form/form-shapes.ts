// The shapes of the world's JSON form: that of a fixture, fully written out. Shapes only; form.ts reads and writes them.
import type { Licence, SidebarLink } from '../world.js';

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

/** What may be left out of a record, because there is a default for it. */
export type Sparse<T> = {
  [K in keyof T]?: T[K] extends NamesForm
    ? Partial<NamesForm>
    : T[K] extends ItemForm['sharedWith']
      ? 'everyone' | 'nobody' | Partial<NamesForm>
      : T[K];
};

/** The form of each kind of record, by the name of its collection. */
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
/** What a fixture holds: any part of a world, with defaults for what is left out. */
export type SparseWorldForm = { [C in CollectionName]?: Record<string, SparseForm<C>> } & {
  licence?: { ppf?: Licence };
  nextPageId?: number;
};
