// Converts the request of a journal entry to a step: a call if that sends the same, else a raw request.
import { methodError, pathError } from '../../derive/sending/sending.js';
import type { World } from '../../domain/world/world.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { urlWithin } from '../../engine/look-back/replay-entry.js';
import { nestingProblem } from '../../engine/request/nesting.js';
import { parseQuery } from '../../engine/request/request.js';
import { type AnyOperationId, anyOperationOf } from '../../operations/catalog/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { RawRequest, Step } from '../format/step-format.js';
import { requestOfStep } from '../play/step-request.js';
import type { ShownCredentials } from './recorded-caller.js';

/** The request parts of a step. */
export type StepRequest = Pick<Step, 'as' | 'call' | 'method' | 'path' | 'query' | 'body' | 'request' | 'readings'>;

/** Context of the step. */
export interface RecordingContext {
  readonly start: World;
  /** Readings of the scenario and of this step. */
  readonly readings: SomeReadings;
  readonly own: SomeReadings;
  readonly shown: ShownCredentials;
}

/** The request of a step; or why a step cannot send it. */
export function stepFor(entry: JournalEntry, setting: RecordingContext): StepRequest | { readonly why: string } {
  const why = whyNotRepeatable(entry);
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

/** Bodies within a scenario file may be nested at most 64 levels deep. */
const DEEPEST = 50;

function whyNotRepeatable(entry: JournalEntry): string | undefined {
  const { method, request } = entry;
  const { unread, body } = request;
  if (nestingProblem(body ?? '', DEEPEST) !== undefined) return 'Its body is nested deeper than a scenario allows.';
  const error = methodError(method) ?? pathError(urlWithin(entry));
  if (error !== undefined) return error;
  const kind = unread?.kind;
  if (kind === 'too-large' || kind === 'encoding' || kind === 'cut-short') return 'The journal does not have its body.';
  return undefined;
}

function callOf({ operation: id, method, params, url, request }: JournalEntry): StepRequest | undefined {
  const operation = id === undefined ? undefined : anyOperationOf(id);
  if (operation === undefined) return undefined;
  const { pairs } = parseQuery(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  const names = [...new Set(pairs.map(([name]) => name))];
  const query = names.map(name => {
    const values = pairs.flatMap(([other, value]) => (other === name ? [value] : []));
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const;
  });
  return {
    call: operation.id as AnyOperationId, // the catalog has it
    ...(method !== operation.method && { method }),
    ...(params !== undefined && { path: params }),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(request.body !== undefined && request.unread === undefined && { body: JSON.parse(request.body) as unknown }),
  };
}

function sendsTheSame(asked: StepRequest, entry: JournalEntry, { start, readings }: RecordingContext): boolean {
  const asking = { world: start, passwords: new Map(), context: '', readings, asksReadings: true };
  const sent = requestOfStep({ say: '', ...asked }, asking);
  const { body, unread, contentType } = entry.request;
  return (
    sent !== undefined &&
    sent.method === entry.method &&
    sent.path === urlWithin(entry) &&
    sent.body === body &&
    contentType === (body === undefined ? '' : 'application/json') &&
    entry.xsrfSuspect === undefined &&
    unread === undefined
  );
}

function rawOf(entry: JournalEntry, { header }: ShownCredentials): RawRequest {
  const { xsrfSuspect } = entry;
  const { contentType, body, unread } = entry.request;
  const headers = {
    ...(contentType !== '' && { 'Content-Type': contentType }),
    ...(header !== undefined && { Authorization: header }),
    ...(xsrfSuspect && { 'User-Agent': 'Mozilla/5.0' }),
  };
  const text = unread?.kind === 'not-utf8' ? { base64: '/w==' } : body;
  return {
    method: entry.method,
    path: urlWithin(entry),
    context: '',
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(text !== undefined && { body: text }),
  };
}
