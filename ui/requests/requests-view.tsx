// The journal, live: a list with filters, and one entry with what decided it.
import { useComputed } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { Entry } from '../client/wire.js';
import { goTo, route } from '../live/route.js';
import { client, description, entries, evicted } from '../live/sandbox.js';
import { Command } from '../parts/copy-button.js';
import { EmptyState } from '../parts/empty-state.js';
import { Instant } from '../parts/instant.js';
import { useAction } from '../parts/resource.js';
import { StatusBadge } from '../parts/status-badge.js';
import { WindowedGrid } from '../parts/windowed-grid.js';
import { EntryDetail } from './entry-detail.js';
import { type Filter, filterIn, guessesOf, matching, onlyKinds } from './filter.js';

const columns = [
  { title: '#', width: '3.2rem' },
  { title: 'Time', width: '4.9rem' },
  { title: 'Request', width: 'minmax(9rem, 1fr)' },
  { title: 'Caller', width: 'minmax(4.5rem, 7rem)' },
  { title: 'Answer', width: '3.9rem' },
  { title: 'Decided by', width: 'minmax(5.5rem, 9rem)' },
];

export function RequestsView() {
  const filter = useComputed(() => filterIn(route.value.query));
  const latestFirst = useComputed(() => matching(entries.value, filter.value).toReversed());
  const shown = useComputed(() => Number(route.value.rest[0] ?? Number.NaN));
  const selected = latestFirst.value.findIndex(({ id }) => id === shown.value);
  const row = useCallback((index: number) => cellsOf(latestFirst.peek()[index]), [latestFirst]);
  const isOpen = !Number.isNaN(shown.value);
  if (entries.value.length === 0 && !isOpen) return <NothingAsked />;
  return (
    <div class={`split ${isOpen ? 'is-open' : ''}`}>
      <section class="pane" aria-label="Requests">
        <Toolbar filter={filter.value} count={latestFirst.value.length} />
        {latestFirst.value.length === 0 ? (
          <EmptyState title="No request fits this filter">
            <button type="button" onClick={() => goTo({ view: 'requests' })}>
              Clear the filter
            </button>
          </EmptyState>
        ) : (
          <WindowedGrid
            label="Requests"
            columns={columns}
            count={latestFirst.value.length}
            grown={latestFirst.value[0]?.id ?? 0}
            selected={selected === -1 ? undefined : selected}
            row={row}
            rowKey={index => String(latestFirst.peek()[index]?.id)}
            rowClass={index => (latestFirst.peek()[index]?.fault === undefined ? '' : 'is-faulty')}
            onSelect={index => {
              const entry = latestFirst.peek()[index];
              if (entry) open(String(entry.id), filter.peek());
            }}
          />
        )}
      </section>
      {isOpen && <EntryDetail id={shown.value} key={shown.value} />}
    </div>
  );
}

function open(id: string, filter: Filter): void {
  goTo({ view: 'requests', rest: [id], query: withoutEmpty(filter) }, { instead: route.peek().rest.length > 0 });
}

function withoutEmpty(filter: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

function cellsOf(entry: Entry | undefined) {
  if (entry === undefined) return undefined;
  const guesses = guessesOf(entry.gaps);
  const rules = entry.rules.filter(rule => !rule.startsWith('address.'));
  return [
    <span class="muted num" key="id">
      {entry.id}
    </span>,
    <Instant at={entry.at} key="at" />,
    <span class="request-line" key="request">
      <span class={`method ${entry.method.toLowerCase()}`}>{entry.method}</span>
      <bdi title={entry.url}>{entry.operation ?? entry.url}</bdi>
      {entry.facts.length > 0 && (
        <span class="dot changed" title="It changed the world">
          <span class="sr-only">changed the world</span>
        </span>
      )}
    </span>,
    <bdi key="caller" class={entry.caller === 'anonymous' ? 'muted' : ''}>
      {entry.caller ?? '–'}
    </bdi>,
    <StatusBadge status={entry.answer.status} key="status" />,
    <span class="marks" key="marks">
      {entry.fault !== undefined && <span class="badge fault">fault</span>}
      {entry.forwarded !== undefined && (
        <span class="badge forwarded" title={`${entry.forwarded.to} answered`}>
          forwarded
        </span>
      )}
      {guesses.length > 0 && (
        <span class="badge guess" title={guesses.join(', ')}>
          {guesses.length === 1 ? '1 guess' : `${guesses.length} guesses`}
        </span>
      )}
      {guesses.length === 0 && rules.length > 0 && (
        <span class="badge rule" title={rules.join(', ')}>
          {rules.length === 1 ? '1 rule' : `${rules.length} rules`}
        </span>
      )}
    </span>,
  ];
}

function Toolbar({ filter, count }: { readonly filter: Filter; readonly count: number }) {
  const operations = useComputed(() => [...new Set(entries.value.flatMap(({ operation }) => operation ?? []))].sort());
  const { isBusy, run } = useAction();
  const set = (change: Partial<Filter>) =>
    goTo(
      { view: 'requests', rest: route.peek().rest, query: withoutEmpty({ ...filter, ...change }) },
      { instead: true },
    );
  return (
    <div class="toolbar">
      <input
        type="search"
        placeholder="Filter: path, name, rule, guess…"
        aria-label="Filter requests"
        value={filter.text}
        onInput={event => set({ text: event.currentTarget.value })}
      />
      <select
        aria-label="Operation"
        value={filter.operation}
        onChange={event => set({ operation: event.currentTarget.value })}
      >
        <option value="">All operations</option>
        {operations.value.map(id => (
          <option key={id}>{id}</option>
        ))}
      </select>
      <select aria-label="Status" value={filter.status} onChange={event => set({ status: event.currentTarget.value })}>
        <option value="">Any status</option>
        {['2', '4', '5'].map(first => (
          <option value={first} key={first}>{`${first}xx`}</option>
        ))}
      </select>
      <select aria-label="Kind" value={filter.only} onChange={event => set({ only: event.currentTarget.value })}>
        <option value="">All kinds</option>
        {onlyKinds.map(kind => (
          <option key={kind}>{kind}</option>
        ))}
      </select>
      <span class="muted count" role="status">
        {count.toLocaleString('en')} of {entries.value.length.toLocaleString('en')}
        {evicted.value > 0 && `, ${evicted.value.toLocaleString('en')} no longer kept`}
      </span>
      <button
        type="button"
        class="quiet"
        disabled={isBusy.value}
        onClick={() =>
          run(async () => {
            await client.in(route.peek().sandbox).clearJournal();
            entries.value = [];
          })
        }
      >
        Clear
      </button>
    </div>
  );
}

function NothingAsked() {
  const { sandbox } = route.value;
  const base = `${location.origin}${sandbox === 'default' ? '' : `/~${sandbox}`}`;
  return (
    <EmptyState title="Nothing has been asked yet">
      <p>Requests show here the moment they are answered. Send one to {description.value?.name ?? sandbox}:</p>
      <Command
        text={`curl -X POST '${base}/rest/cwxapiextension/latest/groups/add-users' \\\n  -u admin:admin -H 'Content-Type: application/json' \\\n  -d '{"group":"customers","users":["alice"]}'`}
      />
    </EmptyState>
  );
}
