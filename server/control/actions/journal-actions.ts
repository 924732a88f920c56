// The actions on the journal of a sandbox: read, clear, verify.

import * as Type from '@sinclair/typebox';
import { harEntry, harOf } from '../../derive/har.js';
import type { Shape } from '../../domain/json/shape.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { JournalFilter } from '../../engine/journal/journal-filter.js';
import { viewEntry, viewSchema } from '../../engine/look-back/entry-view.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/state.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import { operationIds, rules } from '../../operations/catalog/catalog.js';
import { gapIds } from '../../operations/gaps/gaps.js';
import { MANY } from '../../operations/operation.js';
import { described, type JsonSchema } from '../../operations/schema.js';
import {
  type RequestPattern,
  requestPatternProblems,
  requestPatternSchema,
} from '../../scenario/verify/request-pattern.js';
import {
  callersIn,
  type RequestVerdict,
  type Verified,
  verdictLines,
  verifiedSchema,
  verifyRequests,
} from '../../scenario/verify/verify-requests.js';
import { ActionProblem, change, JsonParts, listText, onSandbox, withProblems } from './action.js';

/** Bytes of the journal that cost as much as a record. */
const JOURNAL_BYTES = 200;

const journalSchema = Type.Object({
  entries: Type.Array(viewSchema),
  evicted: Type.Integer({ description: 'Number of entries discarded to stay within the limits.' }),
  leaks: Type.Optional(
    Type.Object(
      { count: Type.Integer(), entries: Type.Array(Type.Integer()) },
      { description: 'Only for `default`: the requests that named no sandbox while other sandboxes were in use.' },
    ),
  ),
});
type ShownJournal = Shape<typeof journalSchema>;

const filters: Readonly<Record<string, JsonSchema>> = {
  operation: {
    type: 'string',
    enum: operationIds,
    description: 'Only requests to this operation.',
  },
  path: {
    type: 'string',
    pattern: '^/[^?#]*$',
    description:
      'Only requests to this path, with or without a sandbox prefix (`/~name`) or a context path; `*` matches one segment.',
  },
  status: { type: 'integer', description: 'Only responses with this status.' },
  rule: { type: 'string', enum: Object.keys(rules), description: 'Only responses to which this rule applied.' },
  gap: { type: 'string', enum: gapIds, description: 'Only responses that depend on this gap.' },
  caller: { type: 'string', description: 'Only requests from this user, or from `anonymous`.' },
  fault: {
    enum: ['true', 'false'],
    description: 'Only responses that a fault affected (`true`), or only the others (`false`).',
  },
  stub: {
    enum: ['true', 'false'],
    description: 'Only responses of stubs (`true`), or only the others (`false`).',
  },
  unmatched: {
    enum: ['true', 'false'],
    description: 'Only requests that match no operation (`true`), or only the others (`false`).',
  },
  entry: { type: 'integer', description: 'Only the entry with this id.' },
  since: { type: 'integer', description: 'Only entries with a higher id.' },
  limit: { type: 'integer', minimum: 1, description: 'Return only this many of the latest entries.' },
};

export const readingJournal = onSandbox({
  id: 'journal.read',
  method: 'GET',
  path: '/sandboxes/{s}/journal',
  summary:
    'List the requests and responses of a sandbox, oldest first, with the rules and readings behind each response',
  query: filters,
  replies: [
    {
      status: 200,
      when: 'The entries, the number of discarded entries, and for `default` the leaks.',
      body: journalSchema,
    },
  ],
  isHeavy: ({ sandbox, query: { entry } }) => entry === undefined && isLongJournal(sandbox),
  run: async (sandbox, { query, isStreamed }): Promise<ShownJournal> => {
    const { journal, name } = sandbox;
    const leaks = name === DEFAULT_SANDBOX ? { leaks: journal.leaks } : {};
    const views = mapped(entriesFor(query, sandbox), entry => viewEntry(entry, sandbox));
    const { evicted } = journal;
    return isStreamed === true
      ? withEntries({ ...leaks, entries: [], evicted }, views)
      : { ...leaks, entries: [...views], evicted };
  },
});

export const readingHar = onSandbox({
  id: 'journal.har',
  method: 'GET',
  path: '/sandboxes/{s}/journal.har',
  summary: 'Get the requests and responses of a sandbox as an HTTP Archive (HAR), with rules and readings as comments',
  query: filters,
  replies: [
    {
      status: 200,
      when: 'The archive, without secrets: `comment` says what decided a response, `_caller` is its user.',
      body: { title: 'Har', type: 'object' },
    },
  ],
  isHeavy: ({ sandbox }) => isLongJournal(sandbox),
  run: async (sandbox, { query, root, isStreamed }, { version }) => {
    const entries = mapped(entriesFor(query, sandbox), entry => harEntry(entry, root));
    return isStreamed === true ? withEntries(harOf([], version), entries) : harOf([...entries], version);
  },
});

export const clearingJournal = onSandbox({
  id: 'journal.clear',
  method: 'DELETE',
  path: '/sandboxes/{s}/journal',
  summary: 'Clear the journal. Later entries continue the numbering',
  replies: [{ status: 204, when: 'Cleared.' }],
  run: async (sandbox, _, context) =>
    (await change(sandbox, context, () => ({ changes: [], result: undefined, isClearing: true }))).result,
});

export const verifyingJournal = onSandbox<Verified, RequestPattern>({
  id: 'journal.verify',
  method: 'POST',
  path: '/sandboxes/{s}/journal/verify',
  createsNone: true, // in a new sandbox, expecting no request would pass
  summary: 'Check that the sandbox received certain requests, a given number of times or in a given order',
  body: { schema: described(requestPatternSchema), isOptional: true },
  replies: [
    { status: 200, when: 'Verified.', body: verifiedSchema },
    { status: 400, when: 'Invalid expectation.' },
    {
      status: 417,
      when: 'Not verified. The problem has the count, the entries, the pattern, and the nearest entries with their differences.',
    },
    { status: 422, when: 'The query is too expensive for this journal. Simplify its patterns, texts and lists.' },
  ],
  isHeavy: ({ sandbox }) => isLongJournal(sandbox),
  furtherErrors: async (pattern, name, { session }) => {
    const sandbox = session.sandboxes.peek(name);
    return sandbox === undefined ? [] : requestPatternProblems(pattern, callersIn(sandbox));
  },
  run: async (sandbox, { body: pattern }) => {
    const problems = requestPatternProblems(pattern, callersIn(sandbox));
    if (problems.length > 0) throw withProblems(400, 'Invalid expectation', problems);
    return verifiedIn(await verifyRequests(sandbox, pattern));
  },
});

/** Whether reading a journal is heavy. */
export function isLongJournal(sandbox: CachedSandbox | undefined): boolean {
  return (sandbox?.journal.bytes ?? 0) > MANY * JOURNAL_BYTES;
}

function verifiedIn(verdict: RequestVerdict): Verified {
  if (verdict.passes) {
    const { passes: _, ...verified } = verdict;
    return verified;
  }
  const { passes: _, says: __, ...unverified } = verdict;
  throw new ActionProblem(417, 'Not verified', verdictLines(verdict).join('\n'), undefined, unverified);
}

function entriesFor(query: Readonly<Record<string, string>>, { journal }: CachedSandbox): readonly JournalEntry[] {
  const { entry } = query;
  return journal.entries(filterFrom(query)).filter(({ id }) => entry === undefined || id === Number(entry));
}

function* mapped<T, U>(all: Iterable<T>, map: (one: T) => U): Generator<U> {
  for (const one of all) yield map(one);
}

/** The JSON of a value, with these entries in its last list, which is empty. */
function withEntries(value: object, entries: Iterable<object>): never {
  const text = JSON.stringify(value);
  const at = text.lastIndexOf('[]') + 1;
  return new JsonParts(listText(text.slice(0, at), entries, text.slice(at))) as never;
}

function filterFrom({ entry: _, ...query }: Readonly<Record<string, string>>): JournalFilter {
  const valueFor = (name: string, text: string) =>
    filters[name]?.type === 'integer' ? Number(text) : filters[name]?.type === 'string' ? text : text === 'true';
  return Object.fromEntries(Object.entries(query).map(([name, text]) => [name, valueFor(name, text)]));
}
