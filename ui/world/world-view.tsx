// The world: its collections, the records of one of them, one record to be changed, and the versions that it has been through.
import { useComputed, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { ControlError } from '../client/control-client.js';
import type { CollectionName } from '../client/wire.js';
import { goTo, linkTo, pastQuery, route } from '../live/route.js';
import { here, markOf, marks, version } from '../live/sandbox.js';
import { EmptyState } from '../parts/empty-state.js';
import { bound, Choice, Search } from '../parts/field.js';
import { labelOf } from '../parts/form/schema.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { WindowedGrid } from '../parts/windowed-grid.js';
import { tables } from './columns.js';
import { draftOf, drafts } from './drafts.js';
import { RecordEditor } from './record-editor.js';
import { type Rows, type ShownRows, useRows } from './rows.js';
import { Versions } from './versions.js';

const names = Object.keys(tables) as CollectionName[];

export function WorldView() {
  const { rest, query } = route.value;
  const [first = 'groups', key] = rest;
  const collection = names.find(name => name === first);
  const at = numberIn(query.get('at'));
  return (
    <div class="world">
      <Versions at={at} from={numberIn(query.get('from'))} to={numberIn(query.get('to'))} />
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
  useLayoutEffect(() => {
    containing.value = '';
  }, [collection]);
  const shown = { collection, containing: containing.value, at };
  const rows = useRows(shown);
  const { error } = rows;
  const isOpen = recordKey !== undefined || route.value.query.has('add');
  return (
    <div class={`split ${isOpen ? 'is-open' : ''} world-split`}>
      <Collections rows={rows} collection={collection} />
      <section class="pane" aria-label={labelOf(collection)}>
        <div class="toolbar">
          <Search label={`Find in ${collection}`} {...bound(containing)} />
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
  const fresh = useComputed(() => new Set([...marks.value.keys()].map(mark => mark.slice(0, mark.indexOf('/')))));
  return (
    <nav class="pane collections" aria-label="Collections">
      {names.map(name => (
        <a
          key={name}
          href={linkTo({ view: 'world', rest: [name], query: pastQuery() })}
          aria-current={name === collection ? 'true' : undefined}
        >
          <span>{labelOf(name)}</span>
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
  readonly selected: string | undefined;
}

function Records({ shown, rows, selected }: RecordsProps) {
  const { collection, containing, at } = shown;
  const { sandbox } = route.value;
  const table = tables[collection];
  const seen = marks.value;
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
      label={labelOf(collection)}
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
        return mark === undefined ? '' : mark === version.value ? 'is-fresh is-latest' : 'is-fresh';
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
