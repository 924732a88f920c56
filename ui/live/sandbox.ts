// The shown sandbox, updated by its events: journal, version, changes. A lost connection is resumed.
import { batch, computed, signal } from '@preact/signals';
import { ControlClient, ControlError } from '../client/control-client.js';
import { receiving, type ServerEvent } from '../client/event-stream.js';
import type { CollectionName, Description, Entry, Fact } from '../client/wire.js';
import { once } from './once.js';
import { route } from './route.js';
import { touchedBy } from './touched.js';

export const client = new ControlClient();
/** The actions on the sandbox of the address. */
export const here = () => client.in(route.value.sandbox);
export const readLedger = once(client.ledger);
/** `lost`: reconnecting. `missing`: there is no such sandbox. */
export const connection = signal<'connecting' | 'live' | 'lost' | 'missing' | 'locked'>('connecting');
/** Why there is no connection. */
export const trouble = signal('');
export const description = signal<Description | undefined>(undefined);
export const version = signal(0);
export const entries = signal<readonly Entry[]>([]);
export const evicted = signal(0);
/** Incremented when the whole world is stale: a reset, a rewind, another sandbox. */
export const upheavals = signal(0);
/** Incremented after changes of the world, four times a second at most: what is shown of it is read again. */
export const worldChanges = signal(0);
/** Recently changed records, with the version. */
export const marks = signal<ReadonlyMap<string, number>>(new Map());
/** Incremented by changes of readings, faults, clock and snapshots. */
export const settingsChanges = signal(0);
/** A temporary notice: a reset, lost entries. */
export const notice = signal('');
/** Incremented when the server is reachable again: what could not be read is read again. */
export const reconnections = signal(0);
/** What a sandbox had that is missing now. */
export const gone = signal<{ readonly name: string; readonly text: string } | undefined>(undefined);

export const isShown = computed(() => connection.value === 'live' || connection.value === 'lost');

const CALM_MS = 250;
const MAX_ENTRIES = 5_000;
/** Of one change. */
const MAX_MARKS = 500;
/** A change is marked for so many versions. */
const FRESH = 25;
/** Minimum interval of looking at how many entries are kept. */
const COUNT_MS = 300;
const RETRY_MS = 1_000;
const MISSING_MS = 2_000;
/** A sandbox created again within this time was replaced. */
const REMADE_MS = 400;
let missing: ReturnType<typeof setTimeout> | undefined;
let calm: ReturnType<typeof setTimeout> | undefined;

function worldChanged(): void {
  if (calm !== undefined) return;
  calm = setTimeout(() => {
    calm = undefined;
    worldChanges.value += 1;
  }, CALM_MS);
}

export const markOf = (collection: CollectionName, key: string) => `${collection}/${key}`;

let shownName = 'default';
let watching: AbortController | undefined;
/** Of the stream that is read at the moment. */
let streaming: AbortController | undefined;
/** Of the last event that was received. */
let lastId: string | undefined;

/** Shows another sandbox; nothing is read again if it is shown already. */
export function watchSandbox(name: string): void {
  if (name === shownName && connection.peek() === 'live' && description.peek()?.name === name) return;
  watching?.abort();
  watching = new AbortController();
  shownName = name;
  lastId = undefined;
  batch(() => {
    connection.value = 'connecting';
    forget();
    marks.value = new Map();
    notice.value = '';
  });
  void watch(name, watching.signal);
}

/** Reconnects at once. */
export const watchAgain = () => watchSandbox(shownName);

async function watch(name: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    streaming = new AbortController();
    try {
      await follow(name, AbortSignal.any([signal, streaming.signal]));
      lose('the server ended it.');
    } catch (error) {
      if (signal.aborted) return;
      fail(streaming.signal.reason ?? error);
    }
    if (connection.peek() === 'locked') return;
    const ms = connection.peek() === 'missing' ? MISSING_MS : RETRY_MS;
    await new Promise(resolve => setTimeout(resolve, ms));
  }
}

/** Reads events until the connection breaks. */
async function follow(name: string, signal: AbortSignal): Promise<void> {
  const sandbox = client.in(name);
  const described = await sandbox.describe();
  const stream = await sandbox.events(lastId, signal);
  if (stream.body === null) return;
  if (lastId === undefined || description.peek() === undefined) await refresh(name, described);
  else connected();
  for await (const { id, event } of receiving(stream.body)) {
    signal.throwIfAborted();
    lastId = id;
    if (event !== undefined) take(event, name);
  }
}

/** Reads what events do not contain. */
async function refresh(name: string, known?: Description): Promise<void> {
  const sandbox = client.in(name);
  const [described, journal] = await Promise.all([known ?? sandbox.describe(), sandbox.journal()]);
  batch(() => {
    if (description.peek() !== undefined) worldChanged();
    description.value = described;
    version.value = described.version;
    evicted.value = journal.evicted;
    const last = journal.entries.at(-1)?.id ?? 0;
    entries.value = [...journal.entries, ...entries.peek().filter(({ id }) => id > last)]; // some arrived meanwhile
    marks.value = new Map();
    upheavals.value += 1;
    settingsChanges.value += 1;
    connected();
  });
}

function connected(): void {
  batch(() => {
    if (connection.peek() === 'lost') reconnections.value += 1;
    connection.value = 'live';
    trouble.value = '';
  });
}

function lose(why: string): void {
  connection.value = 'lost';
  trouble.value = why;
}

function fail(error: unknown): void {
  const { status, message } = error instanceof ControlError ? error : { status: 0, message: String(error) };
  if (status === 404) miss();
  else if (status !== 401) lose(message);
  else {
    connection.value = 'locked';
    description.value = undefined;
  }
}

/** A request was not answered: the connection is lost, even if nobody has noticed yet. */
client.onUnreachable = problem => {
  if (connection.peek() === 'live') streaming?.abort(problem);
};

/** How much there is now, for the case that it gets lost: `12 requests and 5 changes`; empty: nothing. */
function possessions(): string {
  if (entries.peek().length + version.peek() === 0) return '';
  const counted = (number: number, what: string) => `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
  return `${counted(entries.peek().length, 'request')} and ${counted(version.peek(), 'change')}`;
}

function forget(): void {
  description.value = undefined;
  entries.value = [];
  version.value = 0;
}

function miss(): void {
  batch(() => {
    if (description.peek()?.name === shownName && possessions() !== '')
      gone.value = { name: shownName, text: possessions() };
    connection.value = 'missing';
    forget();
  });
}

const lossOf = (had: string) => (had === '' ? '' : ` ${had} of the earlier one are gone.`);

let waiting: ServerEvent[] = [];

/** Events are rendered once per frame, however many arrive. */
function take(event: ServerEvent, name: string): void {
  waiting.push(event);
  if (waiting.length > 1) return;
  const show = () => {
    const events = waiting;
    waiting = [];
    if (name === shownName) batch(() => showAll(events, name));
  };
  if (document.visibilityState === 'visible') requestAnimationFrame(show);
  else setTimeout(show, 100);
}

function showAll(events: readonly ServerEvent[], name: string): void {
  const added: Entry[] = [];
  const changes: Array<readonly [version: number, Fact]> = [];
  for (const event of events) {
    if (event.type === 'entry') added.push(event.data);
    else if (event.type === 'changed') {
      version.value = event.data.version;
      for (const change of event.data.changes) changes.push([event.data.version, change]);
    } else showTurn(event, name);
  }
  if (added.length > 0) addEntries(added);
  if (changes.length > 0) mark(changes);
}

function addEntries(added: readonly Entry[]): void {
  const known = entries.peek();
  const last = known.at(-1)?.id ?? 0;
  const fresh = added.filter(({ id }) => id > last);
  if (fresh.length === 0) return;
  entries.value = [...known, ...fresh].slice(-MAX_ENTRIES);
  if (counting === undefined) counting = setTimeout(() => countKept(shownName).catch(() => undefined), COUNT_MS); // a lost connection shows elsewhere
}

let counting: ReturnType<typeof setTimeout> | undefined;

/** The server discards old entries without an event: forget them here too. */
async function countKept(name: string): Promise<void> {
  counting = undefined;
  const { journal } = await client.in(name).describe();
  if (name !== shownName) return;
  batch(() => {
    evicted.value = journal.evicted;
    if (journal.evicted > 0) entries.value = entries.peek().slice(-journal.entries);
  });
}

/** A change of the world marks records; a change of settings triggers a read. */
function mark(changes: ReadonlyArray<readonly [version: number, Fact]>): void {
  const next = new Map(marks.peek());
  const scopes = new Set<string>();
  for (const [at, change] of changes) {
    const { records, scope } = touchedBy(change);
    scopes.add(scope);
    for (const [collection, key] of records.slice(-MAX_MARKS)) {
      next.delete(markOf(collection, key)); // so that the latest come last
      next.set(markOf(collection, key), at);
    }
  }
  for (const [key, at] of next) if (version.peek() - at >= FRESH) next.delete(key);
  marks.value = next;
  if (scopes.has('records') || scopes.has('everything')) worldChanged();
  if (scopes.has('settings') || scopes.has('everything')) settingsChanges.value += 1;
  if (scopes.has('everything')) upheavals.value += 1;
}

function showTurn(event: Exclude<ServerEvent, { type: 'entry' | 'changed' }>, name: string): void {
  if (event.type === 'dropped') {
    missing = setTimeout(() => name === shownName && miss(), REMADE_MS); // one that is replaced is there again at once
    return;
  }
  if (event.type === 'cut-off') {
    notice.value = 'The page was too slow for the events and is catching up.';
    return;
  }
  clearTimeout(missing);
  if (event.type === 'lost' && event.data.changes === null) return; // events of an earlier sandbox: the one that replaced it follows
  if (event.type === 'reset')
    notice.value = 'The sandbox was reset. Its requests are gone, and its earlier versions are kept.';
  else if (event.type === 'made')
    notice.value = `Sandbox recreated from ${event.data.scenario}.${lossOf(possessions())}`;
  else if (!notice.peek().startsWith('Sandbox recreated'))
    notice.value = 'Some events were missed. Everything was read again.';
  if (event.type !== 'lost') entries.value = [];
  refresh(name).catch(fail);
}
