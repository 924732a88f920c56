// Fills captured values into a step, and reports what keeps it from being sent.
import type { HttpRequest } from '../../derive/sending/call.js';
import { unsendables } from '../../derive/sending/sending.js';
import { isObject } from '../../domain/form/patch.js';
import { pointerOf } from '../../domain/json/json-pointer.js';
import { type Captured, filled, filledTexts, references, refers } from '../../engine/patterns/captures.js';
import type { MatchDifference } from '../../engine/patterns/match.js';
import { valueText } from '../../engine/patterns/value-text.js';
import { withoutTemplates } from '../checks/expectations.js';
import type { Expectation, Probe, Step } from '../format/step-format.js';

/** A step as played. A captured value becomes text where only text is possible, as in a raw request or a header. */
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

/** Captured values that a step needs but that are missing, or cannot be part of a path, query or header. */
export function fillingDifferences(written: Step, captured: Captured, steps: readonly Step[]): MatchDifference[] {
  if (!refers(written)) return [];
  const { say: _, ...asking } = written;
  const missing = references(withoutTemplates(asking)).filter(({ name }) => !captured.has(name));
  const { path, query, request } = written;
  const { body: __, ...raw } = request ?? {};
  const inText = references({ path, query, request: raw });
  const unfit = inText.filter(({ name, path: place }) => !fits(captured.get(name), place[0] === 'query'));
  return [
    ...missing.map(({ name, path: place }) => difference(pointerOf(place), name, undefined, missingText(name, steps))),
    ...unfit.map(({ name, path: place }) => {
      const value = captured.get(name);
      const says = `must be a string or a number, but \${${name}} is ${valueText(value)}`;
      return difference(pointerOf(place), name, value, says);
    }),
  ];
}

/** Reasons why the request of a step cannot be sent. */
export function sendingDifferences({ request }: Step, sent: HttpRequest): MatchDifference[] {
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

function difference(pointer: string, expected: unknown, found: unknown, says: string): MatchDifference {
  return { of: 'request', pointer, expected, found, says };
}

function missingText(name: string, steps: readonly Step[]): string {
  const keeper = steps.findIndex(({ capture = {} }) => Object.hasOwn(capture, name));
  return `needs \${${name}} from step ${keeper + 1}, which was not played or captured nothing`;
}

/** A list repeats a query parameter. */
function fits(value: unknown, isQuery: boolean): boolean {
  if (isQuery && Array.isArray(value)) return value.every(element => fits(element, false));
  return value !== null && !isObject(value) && !Array.isArray(value);
}
