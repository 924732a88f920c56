// What a schema cannot say of steps: that they fit their operation, their world, their gap, and the steps before them.
// Knows nothing of files and plays nothing.

import { ANONYMOUS, type World } from '../../domain/world.js';
import type { Fault } from '../../engine/faults/fault.js';
import { nearest } from '../../engine/nearest.js';
import { anyOperationOf } from '../../operations/catalog.js';
import { type GapId, gapSpec, isReading, readingNames } from '../../operations/gaps/gaps.js';
import type { Step } from '../format/step-format.js';
import { unknownName } from '../load/overlay.js';
import { chosen } from '../load/readings-file.js';
import type { Flaw, Path } from '../yaml/problem.js';
import { captureFlaws, connectionFlaws, matcherFlaws, patternFlaws } from './expectations.js';
import { clashFlaws } from './fault-checks.js';
import type { FittingStep } from './fitting-step.js';
import { sendingFlaws } from './sending-checks.js';

/** What the steps before have kept, and what surrounds all of them. */
export interface Setting {
  /** Absent: it could not be made, so that nobody can be asked for in it. */
  readonly world: World | undefined;
  readonly gap: GapId | undefined;
  readonly captured: readonly string[];
}

/** Of a step that fits its schema only in part, what can be said of the parts that do. */
export function stepFlaws({ step, unfit, hasUnknown }: FittingStep, at: Path, setting: Setting): Flaw[] {
  const asks = (['call', 'request', 'path'] as const).every(key => !unfit.includes(key));
  return [
    ...(asks && !hasUnknown ? askingFlaws(step, at) : []),
    ...callerFlaws(step, at, setting.world),
    ...sendingFlaws(step, at),
    ...probeFlaws(step, at, setting.gap),
    ...[step, ...Object.values(step.for ?? {})].flatMap(({ expect }, i) => {
      const probe = i === 0 ? [] : ['for', Object.keys(step.for ?? {})[i - 1] ?? ''];
      return matcherFlaws(expect?.body, [...at, ...probe, 'expect', 'body']);
    }),
    ...patternFlaws(step.expect, [...at, 'expect']),
    ...patternFlaws(step.then, [...at, 'then']),
    ...patternFlaws(step.for, [...at, 'for']),
    ...chosen(step.readings ?? {}, [...at, 'readings']).flaws,
    ...connectionFlaws(step, at),
    ...captureFlaws(step, at, setting.captured),
    ...(step.faults ?? []).flatMap((fault, i) => faultFlaws(fault, [...at, 'faults', i], setting.world)),
  ];
}

export function faultFlaws(fault: Fault, at: Path, world: World | undefined): Flaw[] {
  const { caller, until } = fault;
  return [
    ...clashFlaws(fault, at),
    ...(caller === undefined ? [] : userFlaws(caller, [...at, 'caller'], world)),
    ...(until === undefined ? [] : instantFlaws(until, [...at, 'until'])),
  ];
}

/** That an instant is a day of the calendar: the schema sees only its form. */
export function instantFlaws(instant: string, path: Path): Flaw[] {
  const time = new Date(instant);
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(instant.slice(0, 19));
  return isReal ? [] : [{ path, message: `${instant.slice(0, 10)} is no day of the calendar.` }];
}

function askingFlaws(step: Step, at: Path): Flaw[] {
  if (step.call !== undefined && step.request !== undefined) {
    return [{ path: [...at, 'request'], of: 'key', message: 'A step asks by call or by request, not by both.' }];
  }
  const ofCall = (['method', 'path', 'query', 'body'] as const).filter(key => Object.hasOwn(step, key));
  if (step.call === undefined) {
    const ofAsking = [...(step.request === undefined ? (['expect', 'capture', 'proves', 'readings'] as const) : [])];
    return [
      ...ofCall.map(key => ({
        path: [...at, key],
        of: 'key' as const,
        message: `${key} belongs to a call, and this step has none.`,
      })),
      ...ofAsking
        .filter(key => Object.hasOwn(step, key))
        .map(key => ({
          path: [...at, key],
          of: 'key' as const,
          message: `${key} is about an answer, and this step asks nothing: it takes call or request.`,
        })),
    ];
  }
  return parameterFlaws(step, at);
}

/** The path parameters of the operation, neither more nor fewer: without them there is no path. */
function parameterFlaws({ call, path = {} }: Step, at: Path): Flaw[] {
  const names = Object.keys(anyOperationOf(call ?? '')?.params ?? {});
  const missing = names.filter(name => !Object.hasOwn(path, name));
  const unknown = Object.keys(path).filter(name => !names.includes(name));
  const takes = names.length === 0 ? 'no path parameters' : `the path parameters ${names.join(', ')}`;
  return [
    ...missing.map(name => ({
      path: [...at, 'call'],
      of: 'value' as const,
      message: `${call} takes ${takes}: path lacks ${name}.`,
    })),
    ...unknown.map(name => ({
      path: [...at, 'path', name],
      of: 'key' as const,
      message: `${call} takes ${takes}, and not ${JSON.stringify(name)}${nearest(name, names)}.`,
    })),
  ];
}

function callerFlaws({ as }: Step, at: Path, world: World | undefined): Flaw[] {
  return typeof as === 'string' ? userFlaws(as, [...at, 'as'], world) : []; // with a password or a token anyone may try
}

function userFlaws(user: string, path: Path, world: World | undefined): Flaw[] {
  if (world === undefined || user === ANONYMOUS || world.users.has(user)) return [];
  if (world.users.size === 0) {
    const message = `There is no user ${JSON.stringify(user)}, nor any other: does the scenario lack "fixture: small-team"?`;
    return [{ path, message }];
  }
  return [{ path, message: unknownName('user', user, callerNames(world)) }];
}

function* callerNames(world: World): Generator<string> {
  yield ANONYMOUS;
  yield* world.users.keys();
}

/** Stands for the reading that is the target's own context path. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is written so in a file
const CONTEXT = '${context}';

/** A probe tells the expectation under each reading of its gap. */
function probeFlaws(step: Step, at: Path, gap: GapId | undefined): Flaw[] {
  if (step.for === undefined) return [];
  const path = [...at, 'for'];
  if (gap === undefined)
    return [{ path, of: 'key', message: 'for lists readings, and the scenario names no gap that has them.' }];
  const named = Object.keys(step.for).filter(name => name !== CONTEXT || gapSpec(gap).open === undefined);
  const names = readingNames(gap);
  return [
    ...named
      .filter(name => !isReading(gap, name))
      .map(name => ({
        path: [...path, name],
        of: 'key' as const,
        message: `${gap} has no reading ${JSON.stringify(name)}${nearest(name, names)}: it takes ${names.join(', ')}.`,
      })),
    ...names
      .filter(name => !named.includes(name))
      .map(name => ({ path, of: 'key' as const, message: `for lacks the reading ${name} of ${gap}.` })),
  ];
}
