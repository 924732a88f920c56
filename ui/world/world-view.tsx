// The world: its collections, the records of one of them, one record to be changed, and the versions that it has been through.
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { ControlError } from '../client/control-client.js';
import type { CollectionName } from '../client/wire.js';
import { goTo, linkTo, pastQuery, route } from '../live/route.js';
import { entries, evicted, here, markOf, marks, version } from '../live/sandbox.js';
import { EmptyState } from '../parts/empty-state.js';
import { Choice, Search } from '../parts/field.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { WindowedGrid } from '../parts/windowed-grid.js';
import { FirstRequest } from '../requests/first-request.js';
import { tables } from './columns.js';
import { draftOf, drafts } from './drafts.js';
import { RecordEditor } from './record-editor.js';
import { type Rows, type ShownRows, useRows } from './rows.js';
import { Versions } from './versions.js';

const names = Object.keys(tables) as CollectionName[];
/** A change is marked for so many versions. */
const FRESH = 25;

export function WorldView() {
  const { rest, query } = route.value;
  const [first = 'groups', key] = rest;
  const collection = names.find(name => name === first);
  const at = numberIn(query.get('at'));
  return (
    <div class="world">
      <Versions at={at} from={numberIn(query.get('from'))} to={numberIn(query.get('to'))} />
      {entries.value.length === 0 && evicted.value === 0 && at === undefined && (
        <section class="first-steps" aria-label="First steps">
          <p>Send a request to see what it changes here:</p>
          <FirstRequest />
        </section>
      )}
      {collection === undefined ? (
        <EmptyState title={`There is no collection ${first}`}>
          <p>
            The world has{' '}
            {names.map((name, i) => (
              <Fragment key={name}>
                {i === 0 ? '' : ', '}
                <a href={linkTo({ view: 'world', rest: [name], query: pastQuery() })}>{name}</a>
              </Fragment>
            ))}
            .
          </p>
        </EmptyState>
      ) : (
        <Collection collection={collection} recordKey={query.has('add') ? undefined : key} at={at} />
      )}
    </div>
  );
}

interface CollectionProps {
  readonly collection: CollectionName;
  readonly recordKey: string | undefined;
  readonly at: number | undefined;
}

function Collection({ collection, recordKey, at }: CollectionProps) {
  const containing = useSignal('');
  const shown = { collection, containing: containing.value, at };
  const rows = useRows(shown);
  const { error } = rows;
  const isOpen = recordKey !== undefined || route.value.query.has('add');
  return (
    <div class={`split ${isOpen ? 'is-open' : ''} world-split`}>
      <Collections rows={rows} collection={collection} />
      <section class="pane" aria-label={titleOf(collection)}>
        <RecordsToolbar shown={shown} containing={containing} rows={rows} />
        {error instanceof ControlError && at !== undefined && (error.status === 404 || error.status === 410) ? (
          <EmptyState title={`Version ${at} is not available`}>
            <p>{error.message}</p>
          </EmptyState>
        ) : (
          <>
            <ProblemNote error={error} />
            <Records shown={shown} rows={rows} selected={recordKey} />
          </>
        )}
      </section>
      {isOpen && <RecordEditor key={`${collection}/${recordKey}`} {...{ collection, recordKey, at }} />}
    </div>
  );
}

function Collections({ rows: { value }, collection }: { readonly rows: Rows; readonly collection: CollectionName }) {
  const fresh = useComputed(() => {
    const found = new Set<string>();
    for (const [mark, at] of marks.value) if (version.value - at < FRESH) found.add(mark.slice(0, mark.indexOf('/')));
    return found;
  });
  return (
    <nav class="pane collections" aria-label="Collections">
      {names.map(name => (
        <a
          key={name}
          href={linkTo({ view: 'world', rest: [name], query: pastQuery() })}
          aria-current={name === collection ? 'true' : undefined}
        >
          <span>{titleOf(name)}</span>
          {fresh.value.has(name) && (
            <span class="dot changed" title="Changed recently">
              <span class="sr-only">changed recently</span>
            </span>
          )}
          <span class="num muted">{value?.counts[name].toLocaleString('en')}</span>
        </a>
      ))}
      <Licence ppf={value?.licence.ppf ?? ''} />
    </nav>
  );
}

interface RecordsProps {
  readonly shown: ShownRows;
  readonly rows: Rows;
}

function RecordsToolbar({ shown, rows, containing }: RecordsProps & { readonly containing: Signal<string> }) {
  const { collection, at } = shown;
  return (
    <div class="toolbar">
      <Search label={`Find in ${collection}`} value={containing.value} onInput={text => (containing.value = text)} />
      <span class="muted count" role="status">
        {rows.value?.matching.toLocaleString('en')}
        {containing.value !== '' && rows.value && ` of ${rows.value.counts[collection].toLocaleString('en')}`}
      </span>
      {at === undefined && collection !== 'favourites' && (
        <a class="quiet button" href={linkTo({ view: 'world', rest: [collection], query: { add: 'record' } })}>
          Add
        </a>
      )}
    </div>
  );
}

function Records({ shown, rows, selected }: RecordsProps & { readonly selected: string | undefined }) {
  const { collection, containing, at } = shown;
  const { sandbox } = route.value;
  const table = tables[collection];
  const seen = marks.value;
  const now = version.value;
  if (rows.value === undefined)
    return rows.error === undefined ? <EmptyState title={`Loading ${collection}…`} isLoading /> : null;
  if (rows.value.matching === 0)
    return (
      <EmptyState
        title={containing === '' ? `There are no ${collection}` : `None of the ${collection} contains ${containing}`}
      >
        {containing === '' && <p>Add one here, or serve a scenario whose fixture has some.</p>}
      </EmptyState>
    );
  const markAt = (index: number) => seen.get(markOf(collection, rows.at(index)?.key ?? ''));
  return (
    <WindowedGrid
      key={`${collection} ${containing} ${at}`}
      label={titleOf(collection)}
      columns={table.columns}
      leastWidth={`${6 * table.columns.length + 8}rem`}
      count={rows.value.matching}
      selected={rows.indexOf(selected)}
      row={index => {
        const found = rows.at(index);
        return (
          found && [
            <bdi key="key" class="key" title={found.key}>
              {found.key}
              {drafts.value.has(draftOf(sandbox, collection, found.key)) && (
                <span class="badge past" title="Unsaved changes">
                  draft
                </span>
              )}
            </bdi>,
            ...table.cells(found.record, found.cut),
          ]
        );
      }}
      rowKey={index => `${index} ${markAt(index) ?? ''}`}
      rowClass={index => {
        const mark = at === undefined ? markAt(index) : undefined;
        return mark === undefined || now - mark >= FRESH ? '' : mark === now ? 'is-fresh is-latest' : 'is-fresh';
      }}
      onWindow={rows.see}
      onSelect={(index, isMoving) =>
        void rows.keyAt(index).then(key => {
          if (key === undefined) return;
          const isReplacing = isMoving && route.peek().rest[1] !== undefined;
          goTo({ view: 'world', rest: [collection, key], query: pastQuery() }, { instead: isReplacing });
        })
      }
    />
  );
}

export function titleOf(collection: string): string {
  return collection.slice(0, 1).toUpperCase() + collection.slice(1);
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

const licences = ['valid', 'expired', 'none'].map(name => [name, name] as const);

function Licence({ ppf }: { readonly ppf: string }) {
  const { error, run } = useAction();
  const inSandbox = here();
  const choose = (chosen: string) =>
    run(() => undoable(`Licence: ${chosen}`, () => inSandbox.patch({ licence: { ppf: chosen } })));
  return (
    <div class="licence">
      <span>Licence</span>
      <Choice label="Licence" value={ppf} isOff={route.value.query.has('at')} options={licences} onChange={choose} />
      <ProblemNote error={error} />
    </div>
  );
}
