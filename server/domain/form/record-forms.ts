// Converts parts of records to and from the JSON form: names sorted, ids as sorted numbers, defaults of pages.
import { Set as PSet } from 'immutable';
import { sortedNames } from '../world/sorted-names.js';
import {
  ANONYMOUS,
  type Favourites,
  type Items,
  type Names,
  noFavourites,
  noNames,
  type Page,
  withPushed,
} from '../world/world.js';
import type { FavouritesForm, NamesForm, SparseForm, SparseNames } from './form-shapes.js';

/** Creation time of fixture pages without one. */
const LONG_AGO = '2025-01-01T00:00:00Z';

/** `lastPosition`: that of its space. */
export function pageFrom(form: SparseForm<'pages'>, lastPosition: number): Page {
  const { space = '', title = '', body = '', author = ANONYMOUS, created = LONG_AGO, version = 1 } = form;
  const { updatedBy = author, updated = created, edit, view } = form;
  const position = form.position ?? lastPosition + 1;
  return {
    space,
    title,
    body,
    author,
    created,
    updatedBy,
    updated,
    version,
    position,
    edit: namesFrom(edit),
    view: namesFrom(view),
  };
}

export function namesFrom({ users = [], groups = [] }: SparseNames = {}): Names {
  return users.length + groups.length === 0 ? noNames : Object.freeze({ users: PSet(users), groups: PSet(groups) });
}

export function namesForm({ users, groups }: Names): NamesForm {
  return { users: [...sortedNames(users)], groups: [...sortedNames(groups)] };
}

/** `before`: the favourites so far. Those that were pushed and remain still count as pushed. */
export function favouritesFrom(
  form: Required<SparseForm<'favourites'>>,
  before: Favourites = noFavourites,
): Favourites {
  const [filters, dashboards] = [PSet(form.filters), PSet(form.dashboards)];
  const { pushed = noFavourites } = before;
  return withPushed(
    { filters, dashboards },
    {
      filters: pushed.filters.filter(id => filters.has(id)),
      dashboards: pushed.dashboards.filter(id => dashboards.has(id)),
    },
  );
}

export function favouritesForm({ filters, dashboards }: Items): FavouritesForm {
  return { filters: [...filters].sort((a, b) => a - b), dashboards: [...dashboards].sort((a, b) => a - b) };
}
