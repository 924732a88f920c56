// Explains a response, and computes the response under other readings: the request is performed again on the state it was decided on. Changes nothing.

import * as Type from '@sinclair/typebox';
import { evolveAll, type Fact, factSchema } from '../../domain/facts.js';
import { worldDifference } from '../../domain/form/difference.js';
import { isSame, type WorldPatch } from '../../domain/form/patch.js';
import { parsedJson } from '../../domain/json/parsed-json.js';
import { type Shape, table, typed } from '../../domain/json/shape.js';
import { rules as ruleTexts } from '../../operations/catalog/catalog.js';
import { statementsOf } from '../../operations/catalog/statements.js';
import { type GapId, gapSpec, isGapId, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import { callerName } from '../../operations/operation-context.js';
import { type Differing, differences, differingSchema } from '../differing.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { redactFact } from '../journal/redacted-state.js';
import type { Result } from '../request/result.js';
import { HistoryError } from '../sandbox/history.js';
import { stateAt } from '../sandbox/versions.js';
import { redactBody } from '../secrets.js';
import type { CachedSandbox } from '../session/cached-sandbox.js';
import { inPieces } from '../time-slicing.js';
import { replayEntry } from './replay-entry.js';

const text = Type.String();
const statements = Type.Array(text, { description: 'The numbers of its statements in docs/document.md.' });

/** @internal */
export const explainedResponseSchema = Type.Object({
  status: Type.Integer(),
  body: Type.Optional(Type.Unknown({ description: 'Parsed JSON, else text. Absent if there is no body.' })),
});
export type ExplainedResponse = Shape<typeof explainedResponseSchema>;

/** @internal */
export const otherReadingSchema = Type.Object({
  reading: text,
  means: text,
  status: Type.Integer(),
  same: Type.Boolean({ description: 'Whether response and facts would be the same.' }),
  says: Type.String({ description: '`the same response`, or the other response in a line.' }),
});
export type OtherReading = Shape<typeof otherReadingSchema>;

/** @internal */
export const explainedGapSchema = Type.Object({
  gap: typed<GapId>('GapId', text),
  asks: text,
  source: text,
  statements,
  reading: text,
  means: text,
  others: Type.Optional(
    Type.Array(otherReadingSchema, {
      description: 'The response under the other readings. Absent if the request chose readings.',
    }),
  ),
});
export type ExplainedGap = Shape<typeof explainedGapSchema>;

const ruleSchema = Type.Object({
  rule: text,
  says: text,
  source: Type.String({ description: 'Its place in the document.' }),
  statements,
});

/** @internal */
export const explainedResultSchema = Type.Object({
  operation: Type.Optional(text),
  caller: Type.Optional(text),
  response: explainedResponseSchema,
  refused: Type.Optional(text),
  rules: Type.Array(ruleSchema, { description: 'The rules that applied, in their order.' }),
  gaps: Type.Array(explainedGapSchema, { description: 'The deciding gaps.' }),
  facts: Type.Array(typed<Fact>('Fact', factSchema), { description: 'What happened.' }),
  fault: Type.Optional(text),
  stub: Type.Optional(text),
});
/** The real or hypothetical result of a request. */
export type ExplainedResult = Shape<typeof explainedResultSchema>;

const underSchema = Type.Object(
  {
    ...explainedResultSchema.properties,
    readings: typed<SomeReadings>('SomeReadings', table(text)),
    differences: Type.Array(typed<Differing>('Differing', differingSchema), {
      description: 'Each difference, in `/status`, `/body` or `/facts`.',
    }),
    patch: typed<WorldPatch>('WorldPatch', {
      type: 'object',
      description: 'The merge-patch (RFC 7396) from the world before the request to the world after it.',
    }),
  },
  { description: 'The response under the given readings.' },
);

/** @internal */
export const explanationSchema = Type.Object(
  {
    entry: Type.Integer(),
    method: text,
    url: text,
    ...explainedResultSchema.properties,
    under: Type.Optional(underSchema),
  },
  { title: 'Explanation' },
);
export type Explanation = Shape<typeof explanationSchema>;

/** The entry of an id. Throws `HistoryError`. */
export function entryIn({ journal }: CachedSandbox, id: number): JournalEntry {
  const entry = journal.entry(id);
  if (entry !== undefined) return entry;
  const [first] = journal.entries();
  const kept =
    first === undefined
      ? 'the journal is empty'
      : `the journal contains entries ${first.id} to ${journal.lastId}`.replace(
          /entries (\d+) to \1$/,
          'only entry $1',
        );
  throw id >= 1 && id <= journal.lastId
    ? new HistoryError('let-go', `Entry ${id} was discarded: ${kept}.`)
    : new HistoryError('unknown', `Unknown entry ${JSON.stringify(id)}: ${kept}.`);
}

/**
 * With `readings`: the response under them. Without: the response under each other reading of each deciding gap. Performs the request once for each, and
 * yields in between. Rejects with a `HistoryError`.
 */
export function explain(sandbox: CachedSandbox, id: number, readings?: SomeReadings): Promise<Explanation> {
  return inPieces(explaining(sandbox, id, readings));
}

function* explaining(
  sandbox: CachedSandbox,
  id: number,
  readings: SomeReadings | undefined,
): Generator<unknown, Explanation> {
  const entry = entryIn(sandbox, id);
  const state = stateAt(sandbox, entry.before);
  const again = (under: SomeReadings, namesGaps: boolean) =>
    redactResult(replayEntry(entry, state, sandbox.server, under, namesGaps).result);
  const explanation = {
    entry: id,
    method: entry.method,
    url: entry.url,
    ...explained(entry),
    gaps: yield* explainGaps(entry.gaps, readings === undefined ? { entry, again } : undefined),
  };
  if (readings === undefined) return explanation;
  const would = again(readings, true);
  return {
    ...explanation,
    under: {
      readings,
      ...explained(knownOf(would)),
      gaps: yield* explainGaps(would.gaps),
      differences: findDifferences(entry, would),
      patch: worldDifference(state.world, evolveAll(state.world, would.facts)),
    },
  };
}

function redactResult(result: Result): Result {
  const { response, facts } = result;
  const { body } = response;
  const shown = body === undefined ? response : { ...response, body: redactBody(body) };
  return { ...result, response: shown, facts: facts.map(redactFact) };
}

type Known = Pick<JournalEntry, 'operation' | 'caller' | 'response' | 'refused' | 'rules' | 'facts' | 'fault' | 'stub'>;

function explained({
  operation,
  caller,
  response,
  refused,
  rules,
  facts,
  fault,
  stub,
}: Known): Omit<ExplainedResult, 'gaps'> {
  return {
    ...(operation !== undefined && { operation }),
    ...(caller !== undefined && { caller }),
    response: responseOf(response),
    ...(refused !== undefined && { refused }),
    rules: rules.map(rule => ({
      rule,
      says: ruleTexts[rule]?.says ?? '',
      source: ruleTexts[rule]?.source ?? '',
      statements: statementsOf(rule),
    })),
    facts,
    ...(fault !== undefined && { fault }),
    ...(stub !== undefined && { stub }),
  };
}

/** A result in the format of a journal entry. */
function knownOf({ caller, injected, stub, ...result }: Result): Known {
  return { ...result, caller: caller && callerName(caller), fault: injected?.name, stub: stub?.name };
}

type Again = (under: SomeReadings, namesGaps: boolean) => Result;

/** Without `again`, the other readings are not computed. */
function* explainGaps(
  gaps: JournalEntry['gaps'],
  others?: { readonly entry: JournalEntry; readonly again: Again },
): Generator<unknown, ExplainedGap[]> {
  const all: ExplainedGap[] = [];
  for (const [gap, reading] of Object.entries(gaps)) {
    if (!isGapId(gap) || reading === undefined) continue; // a provenance contains no others
    const { asks, source } = gapSpec(gap);
    const explainedGap = { gap, asks, source, statements: statementsOf(gap), reading, means: meaning(gap, reading) };
    if (others === undefined) all.push(explainedGap);
    else all.push({ ...explainedGap, others: yield* otherReadings(gap, reading, others.entry, others.again) });
  }
  return all;
}

function* otherReadings(
  gap: GapId,
  own: string,
  entry: JournalEntry,
  again: Again,
): Generator<unknown, OtherReading[]> {
  const others: OtherReading[] = [];
  for (const reading of readingNames(gap).filter(name => name !== own)) {
    yield;
    const would = again({ [gap]: reading }, false);
    const { status } = would.response;
    const isSame = findDifferences(entry, would, 1).length === 0;
    others.push({
      reading,
      means: meaning(gap, reading),
      status,
      same: isSame,
      says: isSame ? SAME : said(entry, would),
    });
  }
  return others;
}

const SAME = 'the same response';
const MAX_SHOWN = 2_000;

function said(entry: JournalEntry, { response, facts }: Result): string {
  if (entry.response.status === response.status && entry.response.body === response.body)
    return `${SAME}, but ${facts.length === 0 ? 'nothing changes' : 'other changes'}`;
  const { body = 'without a body' } = response;
  return `${response.status} ${body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body}`;
}

/** The differences between a result and an entry, up to a limit. */
function findDifferences(
  entry: JournalEntry,
  { response, facts }: Result,
  enough = Number.POSITIVE_INFINITY,
): Differing[] {
  const shownOf = entry.response.body === response.body ? ({ status }: ExplainedResponse) => ({ status }) : responseOf;
  const found = differences(shownOf(entry.response), shownOf(response));
  if (entry.facts.length !== facts.length) return [...found, ...differences({ facts: entry.facts }, { facts })];
  for (let i = 0; i < facts.length && found.length < enough; i += 1) {
    if (!isSame(entry.facts[i], facts[i])) found.push(...differences(entry.facts[i], facts[i], `/facts/${i}`));
  }
  return found;
}

/** The meaning of a reading; for a literal one, that of its form. */
function meaning(gap: GapId, reading: string): string {
  const { readings, open } = gapSpec(gap);
  return readings.find(([name]) => name === reading)?.[1] ?? open?.form ?? '';
}

function responseOf({ status, body }: JournalEntry['response']): ExplainedResponse {
  if (body === undefined || body === '') return { status };
  return { status, body: parsedJson(body, body) }; // a fault may have made it invalid JSON
}
