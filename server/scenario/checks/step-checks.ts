// Checks of steps beyond the schema: against their operation, their world, their gap, and earlier steps.

import type { Path } from '../../domain/json/json-pointer.js';
import { ANONYMOUS, type World } from '../../domain/world/world.js';
import type { Armable } from '../../engine/faults/armed.js';
import type { Fault } from '../../engine/faults/fault.js';
import type { Stub } from '../../engine/faults/stub.js';
import { placeholders, templateError } from '../../engine/faults/template.js';
import { expectedOf, nearest } from '../../engine/nearest.js';
import { GIVEN_NAMES } from '../../engine/patterns/captures.js';
import { anyOperationOf } from '../../operations/catalog/catalog.js';
import { type GapId, gapSpec, isReading, readingNames } from '../../operations/gaps/gaps.js';
import type { Folders } from '../files/folders.js';
import type { Step } from '../format/step-format.js';
import { keyError, type ValueError } from '../yaml/problem.js';
import { chosen } from './chosen-readings.js';
import { captureErrors, connectionErrors, expectationsIn, matcherErrors, patternErrors } from './expectations.js';
import { clashErrors, stubClashErrors } from './fault-checks.js';
import type { FittingStep } from './fitting-step.js';
import { unknownName } from './overlay.js';
import { sendingErrors } from './sending-checks.js';

/** What faults and stubs are checked against. */
export interface ArmingContext extends Pick<Folders, 'restApi'> {
  /** Names captured by earlier steps; absent outside a step. */
  readonly captured?: readonly string[];
  /** Absent: it could not be created, so its users are unknown. */
  readonly world: World | undefined;
}

/** What a step is checked against. */
export interface StepContext extends ArmingContext {
  readonly gap: GapId | undefined;
  readonly captured: readonly string[];
}

/** Errors of a step, as far as its parts are valid. */
export function stepErrors({ step, unfit, hasUnknown }: FittingStep, at: Path, setting: StepContext): ValueError[] {
  const asks = (['call', 'request', 'path'] as const).every(key => !unfit.includes(key));
  return [
    ...(asks && !hasUnknown ? askingErrors(step, at) : []),
    ...callerErrors(step, at, setting.world),
    ...sendingErrors(step, at),
    ...probeErrors(step, at, setting.gap),
    ...expectationsIn(step, at).flatMap(([{ body }, path]) => matcherErrors(body, [...path, 'body'])),
    // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
    ...patternErrors({ expect: step.expect, then: step.then, for: step.for }, at),
    ...chosen(step.readings ?? {}, [...at, 'readings']).errors,
    ...(step.clock === undefined || step.clock.startsWith('+') ? [] : instantErrors(step.clock, [...at, 'clock'])),
    ...connectionErrors(step, at),
    ...captureErrors(step, at, setting.captured),
    ...(step.faults ?? []).flatMap((fault, i) => [
      ...faultErrors(fault, [...at, 'faults', i], setting),
      ...holdErrors(fault, [...at, 'faults', i]),
    ]),
    ...(step.stubs ?? []).flatMap((stub, i) => stubErrors(stub, [...at, 'stubs', i], setting)),
  ];
}

export function faultErrors(fault: Fault, at: Path, { world, restApi }: ArmingContext): ValueError[] {
  return [...clashErrors(fault, at, restApi), ...triggerErrors(fault, at, world)];
}

export function stubErrors(stub: Stub, at: Path, { world, restApi, captured }: ArmingContext): ValueError[] {
  return [
    ...stubClashErrors(stub, at, restApi),
    ...templateErrors(stub, at, captured),
    ...triggerErrors(stub, at, world),
  ];
}

/** Placeholders that a stub cannot fill. */
function templateErrors(stub: Stub, at: Path, captured: readonly string[] | undefined): ValueError[] {
  const others = captured === undefined ? [] : [...GIVEN_NAMES, ...captured];
  return placeholders(stub, at).flatMap(({ path, of, ...reference }) => {
    const message = templateError(reference, others);
    return message === undefined ? [] : [{ path, of, message }];
  });
}

function triggerErrors({ caller, until, match }: Armable, at: Path, world: World | undefined): ValueError[] {
  return [
    ...(caller === undefined ? [] : userErrors(caller, [...at, 'caller'], world)),
    ...(until === undefined ? [] : instantErrors(until, [...at, 'until'])),
    ...matcherErrors(match, [...at, 'match']),
    ...patternErrors(match, [...at, 'match']),
  ];
}

/** Steps are played one after another, so none could release what an earlier one waits for. */
export function holdErrors({ effect }: Fault, at: Path): ValueError[] {
  if (effect.hold === undefined) return [];
  const message =
    'A step waits for its response, so a held response would block the scenario. Set the fault in a scenario without steps, or through the control API.';
  return [{ path: [...at, 'effect', 'hold'], message }];
}

/** Checks that an instant is a real date: the schema checks only its format. */
export function instantErrors(instant: string, path: Path): ValueError[] {
  const time = new Date(instant);
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(instant.slice(0, 19));
  return isReal ? [] : [{ path, message: `${instant.slice(0, 10)} is not a valid date.` }];
}

function askingErrors(step: Step, at: Path): ValueError[] {
  if (step.call !== undefined && step.request !== undefined)
    return [keyError([...at, 'request'], 'A step cannot have both call and request: remove one of them.')];
  if (step.call === undefined) {
    const ofCall = (['method', 'path', 'query', 'body'] as const).filter(key => Object.hasOwn(step, key));
    const ofResponse = (['expect', 'capture', 'proves'] as const).filter(
      key => step.request === undefined && Object.hasOwn(step, key),
    );
    return [
      ...ofCall.map(key => keyError([...at, key], `The key \`${key}\` needs \`call\`, but this step has none.`)),
      ...ofResponse.map(key =>
        keyError(
          [...at, key],
          `The key \`${key}\` needs a response, but this step sends no request: add \`call\` or \`request\`.`,
        ),
      ),
    ];
  }
  return parameterErrors(step, at);
}

/** The path parameters must be exactly those of the operation. */
function parameterErrors({ call, path = {} }: Step, at: Path): ValueError[] {
  const names = Object.keys(anyOperationOf(call ?? '')?.params ?? {});
  const missing = names.filter(name => !Object.hasOwn(path, name));
  const unknown = Object.keys(path).filter(name => !names.includes(name));
  const takes =
    names.length === 0
      ? 'no path parameters'
      : `the path parameter${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
  return [
    ...missing.map(name => ({
      path: [...at, 'call'],
      message: `${call} requires ${takes}: add path: { ${name}: … } to the step.`,
    })),
    ...unknown.map(name =>
      keyError(
        [...at, 'path', name],
        `Unknown path parameter ${JSON.stringify(name)}${nearest(name, names)}: ${call} has ${takes}.`,
      ),
    ),
  ];
}

function callerErrors({ as }: Step, at: Path, world: World | undefined): ValueError[] {
  return typeof as === 'string' ? userErrors(as, [...at, 'as'], world) : []; // any user name is allowed with a password or a token
}

function userErrors(user: string, path: Path, world: World | undefined): ValueError[] {
  if (world === undefined || user === ANONYMOUS || world.users.has(user)) return [];
  const message =
    world.users.size === 0
      ? `Unknown user ${JSON.stringify(user)}: the world has no users. Is "fixture: small-team" missing?`
      : unknownName('user', user, [ANONYMOUS, ...world.users.keys()]);
  return [{ path, message }];
}

/** Stands for the context path of the target. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is written so in a file
const CONTEXT = '${context}';

/** A probe needs the expectation under each reading of its gap. */
function probeErrors(step: Step, at: Path, gap: GapId | undefined): ValueError[] {
  if (step.for === undefined) return [];
  const path = [...at, 'for'];
  if (gap === undefined) return [keyError(path, 'The key `for` requires a gap, but the scenario has none.')];
  const named = Object.keys(step.for).filter(name => name !== CONTEXT || gapSpec(gap).open === undefined);
  const names = readingNames(gap);
  return [
    ...named
      .filter(name => !isReading(gap, name))
      .map(name =>
        keyError(
          [...path, name],
          `${gap} has no reading ${JSON.stringify(name)}${nearest(name, names)}: ${expectedOf(names)}.`,
        ),
      ),
    ...names
      .filter(name => !named.includes(name))
      .map(name => keyError(path, `The key \`for\` is missing the reading ${name} of ${gap}.`)),
  ];
}
