// What of each record stands in its row.
import type { ComponentChildren } from 'preact';
import type { CollectionName, Json } from '../client/wire.js';
import { isJsonObject } from '../parts/changes/change.js';
import type { Column } from '../parts/windowed-grid.js';

const MAX_CHIPS = 8;
/** Longer lists begin with their number. */
const MAX_UNCOUNTED = 3;

type Cut = Readonly<Record<string, number>> | undefined;

interface Table {
  readonly columns: readonly Column[];
  /** `cut`: original lengths of shortened values by JSON pointer. */
  readonly cells: (record: Json, cut?: Cut) => readonly ComponentChildren[];
}

const wide = (title: string): Column => ({ title, width: 'minmax(8rem, 2fr)' });
const narrow = (title: string, width = 'minmax(5rem, 1fr)'): Column => ({ title, width });

const at = (record: Json, name: string): Json => (isJsonObject(record) ? (record[name] ?? null) : null);
const text = (record: Json, name: string) => <Text value={at(record, name)} />;

const item: Table = {
  columns: [narrow('Id', '5rem'), wide('Name'), narrow('Owner'), narrow('Shared with', 'minmax(7rem, 2fr)')],
  cells: (record, cut) => [
    text(record, 'name'),
    text(record, 'owner'),
    <Audience key="s" of="sharedWith" record={record} cut={cut} />,
  ],
};

export const tables: Readonly<Record<CollectionName, Table>> = {
  users: {
    columns: [
      narrow('Name'),
      wide('Display name'),
      narrow('Admin', '5rem'),
      narrow('Signs in with', 'minmax(7rem, 1fr)'),
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
    cells: (record, cut) => [<Names key="m" value={record} count={cut?.['']} />],
  },
  spaces: {
    columns: [narrow('Key'), wide('Name'), narrow('Admins'), { title: 'Sidebar', width: 'minmax(8rem, 3fr)' }],
    cells: (record, cut) => [
      text(record, 'name'),
      <Names key="a" value={at(record, 'admins')} count={cut?.['/admins']} />,
      <Names key="s" value={labelsIn(at(record, 'sidebar'))} />,
    ],
  },
  pages: {
    columns: [
      narrow('Id', '5.5rem'),
      narrow('Space', '5rem'),
      wide('Title'),
      wide('Body'),
      narrow('Editors'),
      narrow('Viewers'),
    ],
    cells: (record, cut) => [
      text(record, 'space'),
      text(record, 'title'),
      text(record, 'body'),
      <Audience key="e" of="edit" record={record} cut={cut} />,
      <Audience key="v" of="view" record={record} cut={cut} />,
    ],
  },
  filters: item,
  dashboards: item,
  favourites: {
    columns: [narrow('User'), wide('Filters'), wide('Dashboards')],
    cells: (record, cut) => [
      <Names key="f" value={at(record, 'filters')} count={cut?.['/filters']} />,
      <Names key="d" value={at(record, 'dashboards')} count={cut?.['/dashboards']} />,
    ],
  },
};

/** Of a sidebar, as text: a link of a world leads nowhere. */
const labelsIn = (links: Json) => (Array.isArray(links) ? links.map((link: Json) => at(link, 'label')) : []);

function Text({ value }: { readonly value: Json }) {
  const shown = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return <bdi title={shown.length > 20 ? shown : undefined}>{shown}</bdi>;
}

/** `count`: of the whole list, if it was shortened. */
function Names({ value, count }: { readonly value: Json; readonly count?: number | undefined }) {
  if (!Array.isArray(value) || value.length === 0) return <span class="muted">none</span>;
  const total = count ?? value.length;
  return (
    <span class="chips" title={total > value.length ? undefined : value.join(', ').slice(0, 300)}>
      {total > MAX_UNCOUNTED && <span class="muted num">{total.toLocaleString('en')}:</span>}
      {value.slice(0, MAX_CHIPS).map((name: Json) => (
        <bdi class="chip" key={String(name)}>
          {String(name)}
        </bdi>
      ))}
    </span>
  );
}

interface AudienceProps {
  readonly record: Json;
  readonly of: string;
  readonly cut: Cut;
}

/** Users and groups, or everyone and nobody. A page without names is open to all. */
function Audience({ record, of, cut }: AudienceProps) {
  const value = at(record, of);
  if (!isJsonObject(value)) return <span class="muted">{String(value)}</span>;
  const lists = ['users', 'groups'].map(name => ({ list: value[name], count: cut?.[`/${of}/${name}`] }));
  const names = lists.flatMap(({ list }) => (Array.isArray(list) ? list : []));
  const left = lists.reduce(
    (sum, { list, count = 0 }) => sum + Math.max(0, count - (Array.isArray(list) ? list.length : 0)),
    0,
  );
  return names.length === 0 ? <span class="muted">all</span> : <Names value={names} count={names.length + left} />;
}
