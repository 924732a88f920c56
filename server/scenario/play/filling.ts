// A step with what was captured filled in, and each thing that keeps it from being asked: what it needs was not kept, or fits nowhere.
// Knows no target.
import type { HttpRequest } from '../../derive/sending/call.js';
import { unsendables } from '../../derive/sending/sending.js';
import { isObject } from '../../domain/form/patch.js';
import type { Expectation, Probe, Step } from '../format/step-format.js';
import { pointerOf } from '../yaml/problem.js';
import { type Captured, filled, filledTexts, references, refers } from './captures.js';
import type { Difference } from './match.js';
import { shown } from './shown.js';

/** A step as it is played. Where only text can stand, as in a raw request or in a header, a captured value stands as text. */
export function filledStep(written: Step, captured: Captured): Step {
  if (!refers(written)) return written;
  const { as, request, for: probes } = written;
  const step = filled(written, captured);
  const headersOf = ({ expect }: Probe): { expect?: Expectation } =>
    expect?.headers === undefined
      ? {}
      : { expect: { ...filled(expect, captured), headers: filledTexts(expect.headers, captured) } };
  const probed = Object.entries(probes ?? {}).map(([reading, probe]) => [
    filledTexts(reading, captured),
    { ...filled(probe, captured), ...headersOf(probe) },
  ]);
  return {
    ...step,
    ...(as !== undefined && { as: filledTexts(as, captured) }),
    ...(request !== undefined && { request: filledTexts(request, captured) }),
    ...headersOf(written),
    ...(probes !== undefined && { for: Object.fromEntries(probed) }),
  };
}

/** Each captured value that a step needs and that is not there, or that can stand in no path, query or header. */
export function fillingDifferences(written: Step, captured: Captured, steps: readonly Step[]): Difference[] {
  if (!refers(written)) return [];
  const { say: _, ...asking } = written;
  const missing = references(asking).filter(({ name }) => !captured.has(name));
  const { path, query, request } = written;
  const { body: __, ...raw } = request ?? {};
  const inText = references({ path, query, request: raw });
  const unfit = inText.filter(({ name, path: place }) => !fits(captured.get(name), place[0] === 'query'));
  return [
    ...missing.map(({ name, path: place }) => difference(pointerOf(place), name, undefined, missingText(name, steps))),
    ...unfit.map(({ name, path: place }) => {
      const value = captured.get(name);
      const says = `takes a text or a number, and \${${name}} is ${shown(value)}`;
      return difference(pointerOf(place), name, value, says);
    }),
  ];
}

/** Each thing that keeps the request of a step from being sent. */
export function sendingDifferences({ request }: Step, sent: HttpRequest): Difference[] {
  return unsendables(sent).map(({ at, message }) => {
    const isWritten =
      request !== undefined && (at[0] !== 'headers' || Object.hasOwn(request.headers ?? {}, at[1] ?? ''));
    return difference(
      isWritten ? pointerOf(['request', ...at]) : '/as',
      undefined,
      undefined,
      `cannot be sent. ${message}`,
    );
  });
}

function difference(pointer: string, expected: unknown, found: unknown, says: string): Difference {
  return { of: 'request', pointer, expected, found, says };
}

function missingText(name: string, steps: readonly Step[]): string {
  const keeper = steps.findIndex(({ capture = {} }) => Object.hasOwn(capture, name));
  return `needs \${${name}}, which step ${keeper + 1} is to keep: it was not played, or kept nothing`;
}

/** A list repeats a query parameter. */
function fits(value: unknown, isQuery: boolean): boolean {
  if (isQuery && Array.isArray(value)) return value.every(element => fits(element, false));
  return value !== null && !isObject(value) && !Array.isArray(value);
}
