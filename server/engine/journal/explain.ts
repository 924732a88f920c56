// Why a request was answered as it was, and what it would be under other readings: it is performed again on the state on which it was decided.
// Touches nothing, and knows neither HTTP nor the errors of the library.

import { evolveAll, type Fact } from '../../domain/facts.js';
import { worldDifference } from '../../domain/form/difference.js';
import { isSame, type WorldPatch } from '../../domain/form/patch.js';
import { rules as ruleTexts } from '../../operations/catalog.js';
import { statementsOf } from '../../operations/document/statements.js';
import { type GapId, gapSpec, isGapId, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import { callerName } from '../../operations/operation-context.js';
import { type Differing, differences } from '../differing.js';
import { inPieces } from '../pieces.js';
import type { Result } from '../request/perform.js';
import type { Sandbox } from '../sandbox/cached-sandbox.js';
import { type HistoryError, isHistoryError } from '../sandbox/history.js';
import { stateAt } from '../sandbox/travel.js';
import type { JournalEntry } from './journal-entry.js';
import { redactFact } from './redacted.js';
import { performAgain } from './replay-entry.js';
import { redactBody } from './secrets.js';

export interface ToldAnswer {
  readonly status: number;
  /** JSON where it is some, else its text; absent: there was none. */
  readonly body?: unknown;
}

export interface ToldRule {
  readonly rule: string;
  readonly says: string;
  /** Where in the document. */
  readonly source: string;
  /** The numbers of its statements, as docs/document.md has them. */
  readonly statements: readonly string[];
}

/** Another reading of a gap, and what the answer would be under it. */
export interface OtherReading {
  readonly reading: string;
  readonly means: string;
  readonly status: number;
  /** Whether the answer and what happens would be the same. */
  readonly same: boolean;
  /** In a line: `the same answer`, or which. */
  readonly says: string;
}

export interface ToldGap {
  readonly gap: GapId;
  readonly asks: string;
  readonly source: string;
  readonly statements: readonly string[];
  readonly reading: string;
  readonly means: string;
  /** Absent where it was asked what would be under certain readings. */
  readonly others?: readonly OtherReading[];
}

/** What came of a request, or would come of it. */
export interface Told {
  readonly operation?: string;
  readonly caller?: string;
  readonly answer: ToldAnswer;
  readonly refused?: string;
  readonly rules: readonly ToldRule[];
  readonly gaps: readonly ToldGap[];
  readonly facts: readonly Fact[];
  readonly fault?: string;
}

export interface Explanation extends Told {
  readonly entry: number;
  readonly method: string;
  readonly url: string;
  /** What it would be under the readings that were asked about. */
  readonly under?: Told & {
    readonly readings: SomeReadings;
    /** Each place at which that differs: in `/status`, `/body`, `/facts`. */
    readonly differs: readonly Differing[];
    /** The merge-patch (RFC 7396) that would make the world afterwards out of the one on which it was decided. */
    readonly patch: WorldPatch;
  };
}

/** The entry of an id, or why there is none. */
export function entryIn({ journal }: Sandbox, id: number): JournalEntry | HistoryError {
  const entry = journal.entry(id);
  if (entry !== undefined) return entry;
  const [first] = journal.entries();
  const kept =
    first === undefined
      ? 'the journal is empty'
      : `${first.id} to ${journal.lastId} are kept`.replace(/^(\d+) to \1 are/, 'only $1 is');
  return id >= 1 && id <= journal.lastId
    ? { code: 'let-go', message: `Entry ${id} has been let go: ${kept}.` }
    : { code: 'unknown', message: `There is no entry ${JSON.stringify(id)}: ${kept}.` };
}

/**
 * With `readings` it says what would be under them; without, what would be under each other reading of each gap that decided. Performs the request
 * once for each, and lets others in between.
 */
export function explain(sandbox: Sandbox, id: number, readings?: SomeReadings): Promise<Explanation | HistoryError> {
  return inPieces(explaining(sandbox, id, readings));
}

function* explaining(
  sandbox: Sandbox,
  id: number,
  readings: SomeReadings | undefined,
): Generator<unknown, Explanation | HistoryError> {
  const entry = entryIn(sandbox, id);
  if (isHistoryError(entry)) return entry;
  const state = stateAt(sandbox, entry.before);
  if (isHistoryError(state)) return state;
  const again = function* (under: SomeReadings) {
    const { result } = performAgain(entry, state, sandbox.server, under);
    yield;
    return yield* redactingResult(result);
  };
  const told = {
    entry: id,
    method: entry.method,
    url: entry.url,
    ...toldOf(entry),
    gaps: yield* toldGaps(entry.gaps, readings === undefined ? { entry, again } : undefined),
  };
  if (readings === undefined) return told;
  const would = yield* again(readings);
  return {
    ...told,
    under: {
      readings,
      ...toldOf(knownOf(would)),
      gaps: yield* toldGaps(would.gaps),
      differs: yield* findingDifferences(entry, would),
      patch: worldDifference(state.world, evolveAll(state.world, would.facts)),
    },
  };
}

/** Facts that are looked at in one piece. */
const PIECE = 1_000;

function* redactingResult(result: Result): Generator<unknown, Result> {
  const { answer } = result;
  const { body } = answer;
  const shown = body === undefined ? answer : { ...answer, body: redactBody(body) };
  const facts: Fact[] = [];
  for (const fact of result.facts) {
    facts.push(redactFact(fact));
    if (facts.length % PIECE === 0) yield;
  }
  return { ...result, answer: shown, facts };
}

type Known = Pick<JournalEntry, 'operation' | 'caller' | 'answer' | 'refused' | 'rules' | 'facts' | 'fault'>;

function toldOf({ operation, caller, answer, refused, rules, facts, fault }: Known): Omit<Told, 'gaps'> {
  return {
    ...(operation !== undefined && { operation }),
    ...(caller !== undefined && { caller }),
    answer: answerOf(answer),
    ...(refused !== undefined && { refused }),
    rules: rules.map(rule => ({
      rule,
      says: ruleTexts[rule]?.says ?? '',
      source: ruleTexts[rule]?.source ?? '',
      statements: statementsOf(rule),
    })),
    facts,
    ...(fault !== undefined && { fault }),
  };
}

/** A result in the words of a journal entry. */
function knownOf({ caller, injected, ...result }: Result): Known {
  return { ...result, caller: caller && callerName(caller), fault: injected?.name };
}

type Again = (under: SomeReadings) => Generator<unknown, Result>;

/** `again` is left out where the other readings are not asked for. */
function* toldGaps(
  gaps: JournalEntry['gaps'],
  others?: { readonly entry: JournalEntry; readonly again: Again },
): Generator<unknown, ToldGap[]> {
  const all: ToldGap[] = [];
  for (const [gap, reading] of Object.entries(gaps)) {
    if (!isGapId(gap) || reading === undefined) continue; // a provenance names no others
    const { asks, source } = gapSpec(gap);
    const told = { gap, asks, source, statements: statementsOf(gap), reading, means: meaning(gap, reading) };
    if (others === undefined) all.push(told);
    else all.push({ ...told, others: yield* otherReadings(gap, reading, others.entry, others.again) });
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
    const would = yield* again({ [gap]: reading });
    const { status } = would.answer;
    const isSame = (yield* findingDifferences(entry, would, 1)).length === 0;
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

const SAME = 'the same answer';
const MOST_SHOWN = 200;

function said(entry: JournalEntry, { answer, facts }: Result): string {
  if (entry.answer.status === answer.status && entry.answer.body === answer.body)
    return `${SAME}, but ${facts.length === 0 ? 'nothing happens' : 'other facts'}`;
  const { body = 'without a body' } = answer;
  return `${answer.status} ${body.length > MOST_SHOWN ? `${body.slice(0, MOST_SHOWN)}…` : body}`;
}

/** Where a result is another than an entry says; of many places not all, but those that are found before there are so many. */
function* findingDifferences(
  entry: JournalEntry,
  { answer, facts }: Result,
  enough = Number.POSITIVE_INFINITY,
): Generator<unknown, Differing[]> {
  const told = entry.answer.body === answer.body ? ({ status }: ToldAnswer) => ({ status }) : answerOf;
  const found = differences(told(entry.answer), told(answer));
  if (entry.facts.length !== facts.length) return [...found, ...differences({ facts: entry.facts }, { facts })];
  for (let i = 0; i < facts.length && found.length < enough; i += 1) {
    if (i % PIECE === PIECE - 1) yield;
    if (!isSame(entry.facts[i], facts[i])) found.push(...differences(entry.facts[i], facts[i], `/facts/${i}`));
  }
  return found;
}

/** What a reading means; of one that is written out, the form that it has. */
function meaning(gap: GapId, reading: string): string {
  const { readings, open } = gapSpec(gap);
  return readings.find(([name]) => name === reading)?.[1] ?? open?.form ?? '';
}

function answerOf({ status, body }: JournalEntry['answer']): ToldAnswer {
  if (body === undefined || body === '') return { status };
  try {
    return { status, body: JSON.parse(body) as unknown };
  } catch {
    return { status, body }; // a fault may have made it no JSON
  }
}
