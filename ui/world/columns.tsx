// What of each record stands in its row.
import type { ComponentChildren } from 'preact';
import type { CollectionName, Json } from '../client/wire.js';
import { isJsonObject } from '../parts/change.js';
import type { Column } from '../parts/windowed-grid.js';

const MAX_CHIPS = 8;

interface Table {
  readonly columns: readonly Column[];
  readonly cells: (record: Json) => readonly ComponentChildren[];
}

const wide = (title: string): Column => ({ title, width: 'minmax(8rem, 2fr)' });
const narrow = (title: string, width = 'minmax(5rem, 1fr)'): Column => ({ title, width });

const at = (record: Json, name: string): Json => (isJsonObject(record) ? (record[name] ?? null) : null);
const text = (record: Json, name: string) => <Text value={at(record, name)} />;

const item: Table = {
  columns: [narrow('Id', '5rem'), wide('Name'), narrow('Owner'), narrow('Shared with', 'minmax(7rem, 2fr)')],
  cells: record => [text(record, 'name'), text(record, 'owner'), <Audience key="s" value={at(record, 'sharedWith')} />],
};

export const tables: Readonly<Record<CollectionName, Table>> = {
  users: {
    columns: [
      narrow('Name'),
      wide('Display name'),
      narrow('Admin', '5rem'),
      narrow('Proves itself by', 'minmax(7rem, 1fr)'),
    ],
    cells: record => [
      text(record, 'displayName'),
      at(record, 'admin') === true ? <span class="badge rule">admin</span> : '',
      [at(record, 'password') === null ? 'any password' : 'password', at(record, 'token') === null ? '' : 'token']
        .filter(part => part !== '')
        .join(', '),
    ],
  },
  groups: {
    columns: [narrow('Group', 'minmax(7rem, 1fr)'), { title: 'Members', width: 'minmax(10rem, 4fr)' }],
    cells: record => [<Names key="m" value={record} />],
  },
  spaces: {
    columns: [narrow('Key'), wide('Name'), narrow('Admins'), { title: 'Sidebar', width: 'minmax(8rem, 3fr)' }],
    cells: record => [
      text(record, 'name'),
      <Names key="a" value={at(record, 'admins')} />,
      <Sidebar key="s" value={at(record, 'sidebar')} />,
    ],
  },
  pages: {
    columns: [
      narrow('Id', '5.5rem'),
      narrow('Space', '5rem'),
      wide('Title'),
      wide('Body'),
      narrow('May edit'),
      narrow('May view'),
    ],
    cells: record => [
      text(record, 'space'),
      text(record, 'title'),
      text(record, 'body'),
      <Audience key="e" value={at(record, 'edit')} />,
      <Audience key="v" value={at(record, 'view')} />,
    ],
  },
  filters: item,
  dashboards: item,
  favourites: {
    columns: [narrow('User'), wide('Filters'), wide('Dashboards')],
    cells: record => [
      <Names key="f" value={at(record, 'filters')} />,
      <Names key="d" value={at(record, 'dashboards')} />,
    ],
  },
};

function Text({ value }: { readonly value: Json }) {
  const shown = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return <bdi title={shown.length > 20 ? shown : undefined}>{shown}</bdi>;
}

function Names({ value }: { readonly value: Json }) {
  if (!Array.isArray(value) || value.length === 0) return <span class="muted">none</span>;
  const more = value.length - MAX_CHIPS;
  return (
    <span class="chips">
      {value.slice(0, MAX_CHIPS).map((name: Json) => (
        <bdi class="chip" key={String(name)}>
          {String(name)}
        </bdi>
      ))}
      {more > 0 && <span class="muted">+{more}</span>}
    </span>
  );
}

/** Users and groups, or everyone and nobody. A page without names is open to all. */
function Audience({ value }: { readonly value: Json }) {
  if (!isJsonObject(value)) return <span class="muted">{String(value)}</span>;
  const names = [value.users, value.groups].flatMap(list => (Array.isArray(list) ? list : []));
  return names.length === 0 ? <span class="muted">all</span> : <Names value={names} />;
}

/** As text: a link of a world leads nowhere. */
function Sidebar({ value }: { readonly value: Json }) {
  if (!Array.isArray(value) || value.length === 0) return <span class="muted">none</span>;
  return (
    <span class="chips">
      {value.slice(0, MAX_CHIPS).map((link: Json, i) => (
        <bdi class="chip" key={`${i}`} title={String(at(link, 'url'))}>
          {String(at(link, 'label'))}
        </bdi>
      ))}
    </span>
  );
}
