// The live journal: a filtered list, and the details of one entry.
import { useComputed } from '@preact/signals';
import type { Entry } from '../client/wire.js';
import { goTo, route } from '../live/route.js';
import { client, entries, evicted } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { confirmed } from '../parts/confirm.js';
import { EmptyState } from '../parts/empty-state.js';
import { Choice, Search } from '../parts/field.js';
import { Instant } from '../parts/instant.js';
import { useAction } from '../parts/resource.js';
import { StatusBadge } from '../parts/status-badge.js';
import { WindowedGrid } from '../parts/windowed-grid.js';
import { aboutRequest } from './about.js';
import { EntryDetail } from './entry-detail.js';
import { type Filter, filterIn, guessesOf, isTelling, matching, onlyKinds } from './filter.js';
import { FirstRequest } from './first-request.js';
import { messageIn } from './response-message.js';

const columns = [
  { title: '#', width: '3.2rem' },
  { title: 'Time', width: '4.9rem' },
  { title: 'Request', width: 'minmax(9rem, 1fr)' },
  { title: 'Caller', width: 'minmax(4.5rem, 7rem)' },
  { title: 'Status', width: '4.4rem' },
  { title: 'Decided by', width: 'minmax(7.5rem, 9rem)' },
];

export function RequestsView() {
  const filter = useComputed(() => filterIn(route.value.query));
  const latestFirst = useComputed(() => matching(entries.value, filter.value).toReversed());
  const shown = useComputed(() => Number(route.value.rest[0] ?? Number.NaN));
  const selected = latestFirst.value.findIndex(({ id }) => id === shown.value);
  const isOpen = !Number.isNaN(shown.value);
  if (entries.value.length === 0 && !isOpen) return <NothingAsked />;
  return (
    <div class={`split ${isOpen ? 'is-open' : ''}`}>
      <section class="pane" aria-label="Requests">
        <Toolbar filter={filter.value} count={latestFirst.value.length} />
        {entries.value.length === 0 ? (
          <NothingAsked />
        ) : latestFirst.value.length === 0 ? (
          <EmptyState title={`None of the ${entries.value.length} requests matches the filter`}>
            <Button onClick={clearFilters}>Clear filters</Button>
          </EmptyState>
        ) : (
          <WindowedGrid
            label="Requests"
            columns={columns}
            count={latestFirst.value.length}
            grown={latestFirst.value[0]?.id ?? 0}
            selected={selected === -1 ? undefined : selected}
            row={index => cellsOf(latestFirst.peek()[index])}
            rowKey={index => String(latestFirst.peek()[index]?.id)}
            rowClass={index => (latestFirst.peek()[index]?.fault === undefined ? '' : 'is-faulty')}
            onSelect={(index, isMoving) => {
              const entry = latestFirst.peek()[index];
              if (entry) open(String(entry.id), filter.peek(), isMoving);
            }}
          />
        )}
      </section>
      {isOpen && <EntryDetail id={shown.value} key={shown.value} />}
    </div>
  );
}

const clearFilters = () => goTo({ view: 'requests', rest: route.peek().rest });

function open(id: string, filter: Filter, isMoving: boolean): void {
  const instead = isMoving && route.peek().rest.length > 0;
  goTo({ view: 'requests', rest: [id], query: withoutEmpty(filter) }, { instead });
}

function withoutEmpty(filter: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

function cellsOf(entry: Entry | undefined) {
  if (entry === undefined) return undefined;
  const message = messageIn(entry);
  const about = aboutRequest(entry);
  return [
    <span class="muted num" key="id">
      {entry.id}
    </span>,
    <Instant at={entry.at} key="at" />,
    <span class="request-line" key="request">
      <span class={`method ${entry.method.toLowerCase()}`}>{entry.method}</span>
      <bdi title={`${entry.operation ?? ''} ${entry.url}`}>{about}</bdi>
      {entry.operation !== undefined && about !== entry.operation && (
        <bdi class="muted operation">{entry.operation}</bdi>
      )}
      {entry.facts.length > 0 && (
        <span class="dot changed" title="Changed the world">
          <span class="sr-only">changed the world</span>
        </span>
      )}
      {message !== '' && (
        <bdi class="message" title={message}>
          {message}
        </bdi>
      )}
    </span>,
    <bdi key="caller" class={entry.caller === 'anonymous' ? 'muted' : ''}>
      {entry.caller ?? '–'}
    </bdi>,
    <StatusBadge entry={entry} key="status" />,
    <span class="marks" key="marks">
      {marksOf(entry).map(([kind, text, title]) => (
        <span class={`badge ${kind}`} title={title} key={kind}>
          {text}
        </span>
      ))}
    </span>,
  ];
}

/** What decided the response: the class, the text and the tooltip of each mark. */
function marksOf({ fault, stub, forwarded, gaps, rules: all }: Entry) {
  const guesses = guessesOf(gaps);
  const rules = guesses.length > 0 ? [] : all.filter(isTelling);
  const marks: ReadonlyArray<readonly [kind: string, text: string | undefined, title: string]> = [
    ['fault', fault && 'fault', `Fault ${fault}`],
    ['stub', stub && 'stub', `Response of stub ${stub}`],
    ['forwarded', forwarded && 'forwarded', `Response of ${forwarded?.to}`],
    ['guess', counted(guesses, 'guess', 'guesses'), guesses.join(', ')],
    ['rule', counted(rules, 'rule', 'rules'), rules.join(', ')],
  ];
  return marks.filter(([, text]) => text !== undefined);
}

const counted = (list: readonly unknown[], one: string, many: string) =>
  list.length === 0 ? undefined : `${list.length} ${list.length === 1 ? one : many}`;

function Toolbar({ filter, count }: { readonly filter: Filter; readonly count: number }) {
  const operations = useComputed(() => [...new Set(entries.value.flatMap(({ operation }) => operation ?? []))].sort());
  const { isBusy, run } = useAction();
  const all = entries.value.length.toLocaleString('en');
  const isFiltered = Object.keys(withoutEmpty(filter)).length > 0;
  const remove = async () => {
    const { sandbox } = route.peek();
    const text = `Delete all ${all} requests of ${sandbox}? This can't be undone. The world stays.`;
    if (!(await confirmed({ title: 'Delete requests', text, action: 'Delete' }))) return;
    run(async () => {
      await client.in(sandbox).clearJournal();
      if (route.peek().sandbox === sandbox) entries.value = [];
    });
  };
  const set = (change: Partial<Filter>) =>
    goTo(
      { view: 'requests', rest: route.peek().rest, query: withoutEmpty({ ...filter, ...change }) },
      { instead: true },
    );
  const choices = [
    ['Operation', 'operation', 'All operations', operations.value],
    ['Status', 'status', 'Any status', ['2', '4', '5']],
    ['Kind', 'only', 'All kinds', onlyKinds],
  ] as const;
  return (
    <div class="toolbar">
      <Search label="Filter requests" value={filter.text} onInput={text => set({ text })} />
      {choices.map(([label, field, all, values]) => (
        <Choice
          key={field}
          label={label}
          value={filter[field]}
          options={[['', all], ...values.map(value => [value, field === 'status' ? `${value}xx` : value] as const)]}
          onChange={value => set({ [field]: value })}
        />
      ))}
      <span class="muted count" role="status">
        {isFiltered ? `${count.toLocaleString('en')} of ${all}` : all}
        {evicted.value > 0 && `, ${evicted.value.toLocaleString('en')} no longer kept`}
      </span>
      <Button class="quiet" isOff={!isFiltered} onClick={clearFilters}>
        Clear filters
      </Button>
      <span class="legend muted">
        <span class="dot changed" aria-hidden="true" /> changed the world
      </span>
      <Button class="quiet danger" isOff={isBusy || entries.value.length === 0} onClick={() => void remove()}>
        Delete all
      </Button>
    </div>
  );
}

function NothingAsked() {
  const { sandbox } = route.value;
  return (
    <EmptyState title="No requests yet">
      <p>Requests appear here as soon as they are sent. Send one to {sandbox}:</p>
      <FirstRequest />
    </EmptyState>
  );
}
