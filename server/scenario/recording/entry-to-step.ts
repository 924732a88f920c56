// The request of an entry as a step asks it: as a call where that sends the same, else as a raw request. Knows no answer.
import { methodFlaw, pathFlaw } from '../../derive/sending/sending.js';
import type { World } from '../../domain/world.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { urlWithin } from '../../engine/journal/replay-entry.js';
import { nestingProblem } from '../../engine/request/nesting.js';
import { parseQuery } from '../../engine/request/request.js';
import { type AnyOperationId, anyOperationOf } from '../../operations/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { RawRequest, Step } from '../format/step-format.js';
import { requestOf } from '../play/asking.js';
import type { Shown } from './proof.js';

/** The parts of a step that ask. */
export type Asked = Pick<Step, 'as' | 'call' | 'method' | 'path' | 'query' | 'body' | 'request' | 'readings'>;

/** What surrounds the step. */
export interface Setting {
  readonly start: World;
  /** Those of the scenario, and those of this step besides. */
  readonly readings: SomeReadings;
  readonly own: SomeReadings;
  readonly shown: Shown;
}

/** The asking of a step; or why no player could ask so. */
export function askingAgain(entry: JournalEntry, setting: Setting): Asked | { readonly why: string } {
  const why = hindrance(entry);
  if (why !== undefined) return { why };
  const { shown, own } = setting;
  const common = {
    ...(shown.as !== undefined && { as: shown.as }),
    ...(Object.keys(own).length > 0 && { readings: own }),
  };
  const call = callOf(entry);
  if (call !== undefined && shown.header === undefined && sendsTheSame({ ...common, ...call }, entry, setting))
    return { ...common, ...call };
  return { ...common, request: rawOf(entry, shown) };
}

/** A body within a step of a file that is nested at most 64 levels deep. */
const DEEPEST = 50;

function hindrance(entry: JournalEntry): string | undefined {
  const { method, request } = entry;
  const { unread, body } = request;
  if (nestingProblem(body ?? '', DEEPEST) !== undefined) return 'Its body is nested deeper than a scenario may be.';
  const flaw = methodFlaw(method) ?? pathFlaw(urlWithin(entry));
  if (flaw !== undefined) return flaw;
  const kind = unread?.kind ?? (body === undefined ? 'absent' : 'json');
  if (kind === 'too-large' || kind === 'encoding' || kind === 'cut-short') return 'Its body was not kept.';
  const readsBody = entry.operation !== undefined && anyOperationOf(entry.operation)?.body !== undefined;
  const isSaid = method === 'POST' || method === 'PUT';
  return kind === 'absent' && isSaid && readsBody
    ? `No player sends a ${method} without saying how long its body is.`
    : undefined;
}

function callOf({ operation: id, method, params, url, request }: JournalEntry): Asked | undefined {
  const operation = id === undefined ? undefined : anyOperationOf(id);
  if (operation === undefined) return undefined;
  const { pairs } = parseQuery(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  const names = [...new Set(pairs.map(([name]) => name))];
  const query = names.map(name => {
    const values = pairs.flatMap(([other, value]) => (other === name ? [value] : []));
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const;
  });
  return {
    call: operation.id as AnyOperationId, // the catalogue has it
    ...(method !== operation.method && { method }),
    ...(params !== undefined && { path: params }),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(request.body !== undefined && request.unread === undefined && { body: JSON.parse(request.body) as unknown }),
  };
}

function sendsTheSame(asked: Asked, entry: JournalEntry, { start, readings }: Setting): boolean {
  const asking = { world: start, passwords: new Map(), context: '', readings, asksReadings: true };
  const sent = requestOf({ say: '', ...asked }, asking);
  const { body, unread, contentType } = entry.request;
  const isEmpty = unread?.kind === 'empty' && (entry.method === 'POST' || entry.method === 'PUT');
  return (
    sent !== undefined &&
    sent.method === entry.method &&
    sent.path === urlWithin(entry) &&
    sent.body === body &&
    contentType === (body === undefined ? '' : 'application/json') &&
    (unread === undefined || isEmpty)
  );
}

function rawOf(entry: JournalEntry, { header }: Shown): RawRequest {
  const { contentType, body, unread } = entry.request;
  const headers = {
    ...(contentType !== '' && { 'Content-Type': contentType }),
    ...(header !== undefined && { Authorization: header }),
  };
  const text = unread?.kind === 'empty' ? '' : unread?.kind === 'not-utf8' ? { base64: '/w==' } : body;
  return {
    method: entry.method,
    path: urlWithin(entry),
    context: '',
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(text !== undefined && { body: text }),
  };
}
