// The world: its collections, the records of one of them, one record to be changed, and the versions that it has been through.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ControlError } from '../client/control-client.js';
import type { CollectionName } from '../client/wire.js';
import { goTo, linkTo, pastQuery, route } from '../live/route.js';
import { client, entries, evicted, markOf, marks, version } from '../live/sandbox.js';
import { EmptyState } from '../parts/empty-state.js';
import { Choice, Search } from '../parts/field.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { WindowedGrid } from '../parts/windowed-grid.js';
import { FirstRequest } from '../requests/first-request.js';
import { CollectionWindow } from './collection-window.js';
import { tables } from './columns.js';
import { draftOf, drafts } from './drafts.js';
import { NewRecord, RecordEditor } from './record-editor.js';
import { Versions } from './versions.js';

const names = Object.keys(tables) as CollectionName[];
/** A change is marked for so many versions. */
const FRESH = 25;

export function WorldView() {
  const { sandbox, rest, query } = route.value;
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
              <>
                {i === 0 ? '' : ', '}
                <a href={linkTo({ view: 'world', rest: [name], query: pastQuery() })}>{name}</a>
              </>
            ))}
            .
          </p>
        </EmptyState>
      ) : (
        <Collection key={sandbox} collection={collection} recordKey={key} at={at} isAdding={query.has('add')} />
      )}
    </div>
  );
}

interface CollectionProps {
  readonly collection: CollectionName;
  readonly recordKey: string | undefined;
  readonly at: number | undefined;
  readonly isAdding: boolean;
}

function Collection({ collection, recordKey, at, isAdding }: CollectionProps) {
  const { sandbox } = route.value;
  const containing = useSignal('');
  const records = useMemo(
    () => new CollectionWindow({ sandbox, collection, containing: containing.value, at }),
    [sandbox, collection, containing.value, at],
  );
  useEffect(() => () => records.close(), [records]);
  const error = records.error.value;
  const isOpen = recordKey !== undefined || isAdding;
  return (
    <div class={`split ${isOpen ? 'is-open' : ''} world-split`}>
      <Collections records={records} collection={collection} />
      <section class="pane" aria-label={titleOf(collection)}>
        <RecordsToolbar collection={collection} containing={containing} records={records} isPast={at !== undefined} />
        {error instanceof ControlError && at !== undefined && (error.status === 404 || error.status === 410) ? (
          <EmptyState title={`Version ${at} is not available`}>
            <p>{error.message}</p>
          </EmptyState>
        ) : (
          <>
            <ProblemNote error={error} />
            <Records records={records} selected={recordKey} />
          </>
        )}
      </section>
      {isAdding && <NewRecord key={collection} collection={collection} />}
      {!isAdding && recordKey !== undefined && (
        <RecordEditor key={`${collection}/${recordKey}`} collection={collection} recordKey={recordKey} at={at} />
      )}
    </div>
  );
}

function Collections({
  records,
  collection,
}: {
  readonly records: CollectionWindow;
  readonly collection: CollectionName;
}) {
  const counts = records.counts.value;
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
          <span class="num muted">{counts?.[name].toLocaleString('en') ?? ''}</span>
        </a>
      ))}
      <Licence ppf={records.licence.value} />
    </nav>
  );
}

interface ToolbarProps {
  readonly collection: CollectionName;
  readonly containing: { value: string };
  readonly records: CollectionWindow;
  readonly isPast: boolean;
}

function RecordsToolbar({ collection, containing, records, isPast }: ToolbarProps) {
  return (
    <div class="toolbar">
      <Search label={`Find in ${collection}`} value={containing.value} onInput={text => (containing.value = text)} />
      <span class="muted count" role="status">
        {records.error.value === undefined && records.counts.value !== undefined && (
          <>
            {records.matching.value.toLocaleString('en')}
            {containing.value === '' ? '' : ` of ${records.counts.value[collection].toLocaleString('en')}`}
          </>
        )}
      </span>
      {!isPast && collection !== 'favourites' && (
        <button
          type="button"
          class="quiet"
          onClick={() => goTo({ view: 'world', rest: [collection], query: { add: 'record' } })}
        >
          Add
        </button>
      )}
    </div>
  );
}

function Records({ records, selected }: { readonly records: CollectionWindow; readonly selected: string | undefined }) {
  const { sandbox, collection, containing, at } = records.shown;
  const table = tables[collection];
  void records.drawn.value; // the rows below are read from what it counts
  const seen = marks.value;
  const now = version.value;
  if (records.counts.value === undefined && records.error.value === undefined)
    return <EmptyState title={`Loading ${collection}…`} isLoading />;
  if (records.matching.value === 0 && records.counts.value !== undefined)
    return (
      <EmptyState
        title={containing === '' ? `There are no ${collection}` : `None of the ${collection} contains ${containing}`}
      >
        {containing === '' && <p>Add one here, or serve a scenario whose fixture has some.</p>}
      </EmptyState>
    );
  const freshness = (index: number): string => {
    const key = records.at(index)?.key;
    const mark = key === undefined || at !== undefined ? undefined : seen.get(markOf(collection, key));
    return mark === undefined || now - mark >= FRESH ? '' : mark === now ? 'is-fresh is-latest' : 'is-fresh';
  };
  return (
    <WindowedGrid
      key={`${collection} ${containing} ${at}`}
      label={titleOf(collection)}
      columns={table.columns}
      leastWidth={`${6 * table.columns.length + 8}rem`}
      count={records.matching.value}
      selected={selected === undefined ? undefined : records.indexOf(selected)}
      row={index => {
        const found = records.at(index);
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
      rowKey={index => `${index} ${seen.get(markOf(collection, records.at(index)?.key ?? '')) ?? ''}`}
      rowClass={freshness}
      onWindow={records.see}
      onSelect={(index, isMoving) =>
        void records.keyAt(index).then(key => {
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
  const choose = (chosen: string) =>
    run(() =>
      undoable(`Licence: ${chosen}`, () => client.in(route.peek().sandbox).patch({ licence: { ppf: chosen } })),
    );
  return (
    <div class="licence">
      <span>Licence</span>
      <Choice label="Licence" value={ppf} isOff={route.value.query.has('at')} options={licences} onChange={choose} />
      <ProblemNote error={error.value} />
    </div>
  );
}
