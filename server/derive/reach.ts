// What reaches an operation: the refusals, gaps and rules of the stages that its requests come through.
import { type RefusalCode, refusalSpec, refusals } from '../domain/refusals.js';
import { errorBodyGaps } from '../engine/request/answer.js';
import { stages } from '../engine/request/perform.js';
import { namesOf, type Step } from '../engine/request/stage.js';
import { addressRules } from '../operations/address.js';
import { operations } from '../operations/catalog.js';
import type { Rules } from '../operations/document/rule.js';
import { expandRules } from '../operations/expand.js';
import { type GapId, gapIds, isGapId, type Readings } from '../operations/gaps/gaps.js';
import type { Operation, ReplySpec } from '../operations/operation.js';

const steps = stages.flatMap(stage => stage.steps);

function stepsOf(operation: Operation): Step[] {
  return steps.filter(step => step.concerns(operation));
}

/** A refusal that a request to an operation can meet, with the step that gives it. */
export interface Source {
  readonly code: RefusalCode;
  readonly step: Step;
}

/** Every refusal that a request to the operation can meet under some readings, once path and method have led to it. */
export function refusalsOf(operation: Operation): Source[] {
  const found = stepsOf(operation).flatMap(step => namesOf(step.refusals, operation).map(code => ({ code, step })));
  return found.filter(({ code }, i) => found.findIndex(other => other.code === code) === i);
}

/** The names of the steps that can give a refusal, whatever the operation. */
export function stepsGiving(code: RefusalCode): string[] {
  return steps
    .filter(step => operations.some(operation => namesOf(step.refusals, operation).includes(code)))
    .map(({ name }) => name);
}

/** The status that a refusal has under the readings; `undefined` where they rule it out. */
export function statusUnder(code: RefusalCode, readings: Readings): number | undefined {
  const { status, gap, unless } = refusalSpec(code);
  if (gap === undefined || !isGapId(gap)) return Number(status);
  const reading = readings[gap];
  if (unless?.includes(reading)) return undefined;
  if (status === 'as-read') return /^\d{3}$/.test(reading) ? Number(reading) : undefined;
  return unless !== undefined || reading === String(status) ? status : undefined;
}

/** The replies that an operation can give under the readings. */
export function repliesUnder({ replies }: Operation, readings: Readings): ReplySpec[] {
  return replies.filter(({ under = {} }) =>
    Object.entries(under).every(([gap, reading]) => !isGapId(gap) || readings[gap] === reading),
  );
}

/** Every rule that can apply to a request to the operation: those of addresses, of JSON and of `expand`, and its own. */
export function rulesOf(operation: Operation): Rules {
  const ids = stepsOf(operation).flatMap(step => namesOf(step.rules, operation));
  const among = (rules: Rules): Rules =>
    Object.fromEntries(ids.flatMap(id => Object.entries(rules).filter(([name]) => name === id)));
  return { ...among(addressRules), ...among(expandRules), ...operation.rules };
}

/** Every gap whose reading can decide about a request to the operation, in the order of the ledger. */
export function gapsOf(operation: Operation): GapId[] {
  const asked = new Set<GapId>(stepsOf(operation).flatMap(step => namesOf(step.gaps, operation)));
  asked.add(errorBodyGaps[operation.family]);
  asked.add('error-text');
  return gapIds.filter(id => asked.has(id));
}

/** What an operation is about: the first part of its id. */
export function resource({ id }: Pick<Operation, 'id'>): string {
  return id.split('.', 1)[0] ?? id;
}

/** The codes of the table, in its order. */
export const refusalCodes = Object.keys(refusals) as RefusalCode[]; // the keys of the table
