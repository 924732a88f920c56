// The changes of the world, record by record.
import type { Sandbox } from '../../client/control-client.js';
import type { CollectionName, Json, JsonObject } from '../../client/wire.js';
import { here } from '../../live/sandbox.js';
import { EmptyState, Loaded } from '../empty-state.js';
import { useResource } from '../resource.js';
import { changesOf, type FieldChange, isJsonObject, listChange, nameOf, type RecordChange } from './change.js';

/** Maximum records of a collection. */
export const MAX_RECORDS = 40;
const MAX_LISTED = 12;
const MAX_TEXT = 240;

interface Props {
  /** The version before the patch. */
  readonly at: number;
  readonly patch: JsonObject;
  /** Number of changed records that the patch lacks. */
  readonly more?: number | undefined;
  readonly none: string;
}

export function ChangesView({ at, patch, more: left = 0, none }: Props) {
  const inSandbox = here();
  const before = useResource(() => recordsAt(inSandbox, at, patch), [at], [patch]);
  return (
    <Loaded of={before}>
      {records => {
        const changes = changesOf(patch, records);
        const more = left + Math.max(0, changes.length - MAX_RECORDS);
        if (changes.length === 0) return <EmptyState isSmall title={none} />;
        return (
          <ul class="changes">
            {changes.slice(0, MAX_RECORDS).map(change => (
              <Change key={`${change.collection}/${change.key}`} change={change} named={nameIn(records)} />
            ))}
            {more > 0 && <li class="muted">and {more.toLocaleString('en')} more records</li>}
          </ul>
        );
      }}
    </Loaded>
  );
}

type Records = ReadonlyMap<string, Json>;

/** The records of a patch at a version, and the filters and dashboards in its favourites. */
async function recordsAt(inSandbox: Sandbox, at: number, patch: JsonObject): Promise<Records> {
  const read = async (collection: CollectionName, keys: readonly string[]) => {
    const { records } = await inSandbox.part({ collection, at, keys: keys.slice(0, MAX_RECORDS), whole: true });
    return records.map(({ key, record }) => [`${collection}/${key}`, record] as const);
  };
  const changed = Object.entries(patch).filter(
    ([collection, records]) => collection !== 'licence' && isJsonObject(records),
  );
  const records = await Promise.all(
    changed.map(([collection, part]) => read(collection as CollectionName, Object.keys(part as JsonObject))), // filtered above
  );
  const favourites = [patch.favourites ?? null, Object.fromEntries(records.flat())];
  const items = await Promise.all(
    (['filters', 'dashboards'] as const).map(collection => {
      const ids = favourites
        .flatMap(part => (isJsonObject(part) ? Object.values(part) : []))
        .flatMap(part => (isJsonObject(part) ? [part[collection] ?? []] : []))
        .flat();
      return ids.length === 0 ? [] : read(collection, [...new Set(ids.map(String))]);
    }),
  );
  return new Map([...items, ...records].flat());
}

/** Spaces and users are known by their keys. */
const nameIn = (records: Records) => (collection: string, key: string) =>
  ['spaces', 'users'].includes(collection) ? undefined : nameOf(records.get(`${collection}/${key}`));

type NameOf = ReturnType<typeof nameIn>;

const singularOf = (collection: string) =>
  collection === 'favourites' ? 'favourites of' : collection.replace(/s$/, '');

function Change({ change, named }: { readonly change: RecordChange; readonly named: NameOf }) {
  const { collection, key, kind, fields } = change;
  const name = named(collection, key);
  return (
    <li class={`change ${kind}`}>
      <div class="change-head">
        <span class="muted">{singularOf(collection)}</span> <bdi class="name">{key}</bdi>
        {name !== undefined && <bdi> {name}</bdi>}
        {kind !== 'changed' && <span class="badge change-kind">{kind}</span>}
      </div>
      {fields.map(field => (
        <Field key={field.field} {...field} named={collection === 'favourites' ? named : undefined} />
      ))}
    </li>
  );
}

function Field({ field, before, after, named }: FieldChange & { readonly named: NameOf | undefined }) {
  const shown = (each: Json) => [shortened(each), named?.(field, String(each))].filter(Boolean).join(' ');
  return (
    <div class="change-field">
      {field !== '' && <span class="muted field-name">{field}</span>}
      {Array.isArray(after) && (before === undefined || Array.isArray(before)) ? (
        <ListValues {...listChange(before ?? [], after)} shown={shown} />
      ) : (
        <span class="values">
          {before !== undefined && <del>{shortened(before)}</del>}
          {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
          {after !== undefined && <ins>{shortened(after, before)}</ins>}
        </span>
      )}
    </div>
  );
}

interface ListProps extends ReturnType<typeof listChange> {
  readonly shown: (each: Json) => string;
}

function ListValues({ kept, gone, added, shown }: ListProps) {
  const chips = (Element: 'span' | 'del' | 'ins', list: readonly Json[]) =>
    list.slice(0, MAX_LISTED).map(each => (
      <Element class="chip" key={JSON.stringify(each)} title={shown(each)}>
        {shown(each)}
      </Element>
    ));
  return (
    <span class="values chips">
      {chips('span', kept)}
      {kept.length > MAX_LISTED && <span class="muted">+{kept.length - MAX_LISTED} unchanged</span>}
      {chips('del', gone)}
      {chips('ins', added)}
      {gone.length + added.length > 2 * MAX_LISTED && <span class="muted">and more</span>}
      {kept.length + added.length === 0 && <span class="muted">empty now</span>}
    </span>
  );
}

/** The part of a long text around its first difference. */
function shortened(value: Json, other?: Json): string {
  const text = textOf(value);
  if (text.length <= MAX_TEXT) return text;
  const against = typeof other === 'string' ? other : '';
  let at = 0;
  while (at < against.length && against[at] === text[at]) at += 1;
  const from = Math.max(0, at - MAX_TEXT / 4);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + MAX_TEXT)}…`;
}

/** A sidebar link in words. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  return isJsonObject(value) ? Object.values(value).map(textOf).join(' · ') : JSON.stringify(value);
}
