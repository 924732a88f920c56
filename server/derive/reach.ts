// The refusals, gaps and rules of an operation, with those of the stages before it.

import { errorBodyGaps } from '../engine/request/api-response.js';
import { namesOf, type StageStep } from '../engine/request/stage.js';
import { stages } from '../engine/request/stages/run-stages.js';
import { addressRules } from '../operations/address.js';
import { operations } from '../operations/catalog/catalog.js';
import type { Rules } from '../operations/document/rule.js';
import type { ReplySpec } from '../operations/endpoint.js';
import { expandRules } from '../operations/expand.js';
import { type GapId, gapIds, isGapId, type Readings } from '../operations/gaps/gaps.js';
import type { Operation } from '../operations/operation.js';
import { type RefusalCode, refusalSpec, refusals } from '../operations/refusals.js';

const steps = stages.flatMap(stage => stage.steps);

function stepsOf(operation: Operation): StageStep[] {
  return steps.filter(step => step.concerns(operation));
}

/** A possible refusal of an operation, with the step that gives it. */
export interface PossibleRefusal {
  readonly code: RefusalCode;
  readonly step: StageStep;
}

/** Every possible refusal of an operation under some readings, once path and method are known. */
export function refusalsOf(operation: Operation): PossibleRefusal[] {
  const found = stepsOf(operation).flatMap(step => namesOf(step.refusals, operation).map(code => ({ code, step })));
  return found.filter(({ code }, i) => found.findIndex(other => other.code === code) === i);
}

/** The steps that can give a refusal, for any operation. */
export function stepsGiving(code: RefusalCode): string[] {
  return steps
    .filter(step => operations.some(operation => namesOf(step.refusals, operation).includes(code)))
    .map(({ name }) => name);
}

/** The status of a refusal under the readings; `undefined` if they exclude it. */
export function statusUnder(code: RefusalCode, readings: Readings): number | undefined {
  const { status, gap, unless, statusGap = gap } = refusalSpec(code);
  if (gap === undefined) return Number(status);
  const reading = readings[gap];
  if (unless?.includes(reading)) return undefined;
  if (status === 'as-read') {
    const read = statusGap === undefined ? '' : readings[statusGap];
    return /^\d{3}$/.test(read) ? Number(read) : undefined;
  }
  return unless !== undefined || reading === String(status) ? status : undefined;
}

/** The possible replies of an operation under the readings. */
export function repliesUnder({ replies }: Operation, readings: Readings): ReplySpec[] {
  return replies.filter(({ under = {} }) =>
    Object.entries(under).every(([gap, reading]) => !isGapId(gap) || readings[gap] === reading),
  );
}

/** Every rule for an operation: those of addresses, of JSON and of `expand`, and its own. */
export function rulesOf(operation: Operation): Rules {
  const ids = stepsOf(operation).flatMap(step => namesOf(step.rules, operation));
  const among = (rules: Rules): Rules =>
    Object.fromEntries(ids.flatMap(id => Object.entries(rules).filter(([name]) => name === id)));
  return { ...among(addressRules), ...among(expandRules), ...operation.rules };
}

/** Every gap of an operation, in the order of the ledger. */
export function gapsOf(operation: Operation): GapId[] {
  const asked = new Set<GapId>(stepsOf(operation).flatMap(step => namesOf(step.gaps, operation)));
  asked.add(errorBodyGaps[operation.family]);
  asked.add('error-text');
  return gapIds.filter(id => asked.has(id));
}

/** The resource of an operation: the first part of its id. */
export function resourceName({ id }: Pick<Operation, 'id'>): string {
  return id.split('.', 1)[0] ?? id;
}

/** The codes of the table, in its order. */
export const refusalCodes = Object.keys(refusals) as RefusalCode[]; // the keys of the table
