// The evidence about a played step, for finding out why it failed: request, response, differences, what decided, place in the file, and how to repeat
// it. Plain text.

import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { curlOf, type Secrets, withoutSecret } from '../../derive/sending/curl.js';
import { visible, visibleLines } from '../../derive/text/visible.js';
import { isObject } from '../../domain/form/patch.js';
import type { MatchDifference } from '../../engine/patterns/match.js';
import { redactBody, redactHeader, redactUrl } from '../../engine/secrets.js';
import { isAddressGap } from '../../operations/provenance.js';
import type { Played } from './player.js';

/** Circumstances of a step. */
export interface Circumstances {
  /** The file of the scenario, as shown to people. */
  readonly file: string;
  /** Base URL of the target, without a trailing slash. */
  readonly url: string;
  /** What to do before the request can be repeated: commands and sentences. `index`: the step, from 0. */
  readonly before?: (index: number) => readonly string[];
  /** Whether to show passwords and tokens in `curl`. Default: hidden. */
  readonly secrets?: Secrets;
}

/** Lines under one heading. */
export interface EvidenceLines {
  readonly about:
    | 'at'
    | 'request'
    | 'response'
    | 'differs'
    | 'fault'
    | 'stub'
    | 'hint'
    | 'rules'
    | 'gaps'
    | 'unchecked'
    | 'reproduce';
  readonly lines: readonly string[];
}

const MAX_DIFFERENCES = 5;
const MAX_BODY = 2000;
const WIDTH = 10;

/** The evidence of a step, in reading order, without empty parts. */
export function evidenceOf(played: Played, circumstances: Circumstances): EvidenceLines[] {
  const { sent, received, broken, insight, unchecked } = played;
  const all: EvidenceLines[] = [
    { about: 'at', lines: [stepPlace(played, circumstances)] },
    { about: 'request', lines: sent === undefined ? [] : askedLines(sent) },
    {
      about: 'response',
      lines:
        received === undefined ? [broken ?? []].flat() : [statusText(received.status), ...bodyLines(received.text)],
    },
    { about: 'differs', lines: differenceLines(played.differences) },
    { about: 'fault', lines: [insight?.fault ?? []].flat() },
    { about: 'stub', lines: [insight?.stub ?? []].flat() },
    { about: 'hint', lines: hintsFor(played) },
    { about: 'rules', lines: insight === undefined ? [] : [insight.rules.join(', ') || 'none'] },
    { about: 'gaps', lines: insight === undefined ? [] : [gapsText(insight.gaps)] },
    {
      about: 'unchecked',
      lines:
        unchecked.length === 0 ? [] : [`${unchecked.join(' and ')}: this target does not show its world and rules`],
    },
    { about: 'reproduce', lines: sent === undefined ? [] : againLines(sent, played.index, circumstances) },
  ];
  return all.filter(({ lines }) => lines.length > 0).map(({ about, lines }) => ({ about, lines: lines.map(visible) }));
}

/** Evidence as text with the headings in a column. Control characters are escaped. */
export function evidenceText(evidence: readonly EvidenceLines[]): string[] {
  return evidence.flatMap(({ about, lines }) =>
    lines.map((line, i) => `${(i === 0 ? about : '').padEnd(WIDTH)}${line}`.trimEnd()),
  );
}

/** `scenarios/a.yaml:7`. */
export function stepPlace({ line }: Pick<Played, 'line'>, { file }: Pick<Circumstances, 'file'>): string {
  return line === 0 ? file : `${file}:${line}`;
}

/** `status is 200, not 403`, `body /messages/0 is "a", not "b"`, `proves ppf.push did not apply, but these did: …`. */
export function differenceText({ of, pointer, says }: MatchDifference): string {
  const place = of === 'headers' ? `header ${pointer.slice(1)}` : pointer === '' ? of : `${of} ${pointer}`;
  return visible(of === 'proves' ? says : `${place} ${says}`);
}

/** `200 OK`. */
export function statusText(status: number): string {
  return [String(status), STATUS_CODES[status]].filter(part => part !== undefined).join(' ');
}

function askedLines({ method, path, headers, body }: NonNullable<Played['sent']>): string[] {
  return [
    visible(`${method} ${redactUrl(path)}`),
    ...Object.entries(headers).map(([name, value]) =>
      visible(`${name}: ${name.toLowerCase() === 'authorization' ? withoutSecret(value) : redactHeader(name, value)}`),
    ),
    ...(body === undefined ? [] : bodyLines(redactBody(Buffer.from(body).toString('utf8')))),
  ];
}

/** A body as sent, cut if it is long. */
function bodyLines(text: string): string[] {
  if (text === '') return [];
  const cut = text.length <= MAX_BODY ? text : `${text.slice(0, MAX_BODY)}… (${text.length} characters)`;
  return visibleLines(cut);
}

function differenceLines(differences: readonly MatchDifference[]): string[] {
  const more = differences.length - MAX_DIFFERENCES;
  return [...differences.slice(0, MAX_DIFFERENCES).map(differenceText), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Address gaps are left out if other gaps decided, because every request to the wiki touches them. */
export function ownGaps(gaps: Readonly<Record<string, string>>): Array<[gap: string, reading: string]> {
  const telling = Object.entries(gaps).filter(([gap]) => !isAddressGap(gap));
  return telling.length > 0 ? telling : Object.entries(gaps);
}

function gapsText(gaps: Readonly<Record<string, string>>): string {
  return (
    ownGaps(gaps)
      .map(([gap, reading]) => `${gap}=${reading}`)
      .join(', ') || 'none'
  );
}

function againLines(
  sent: NonNullable<Played['sent']>,
  index: number,
  { url, before, secrets = 'hidden' }: Circumstances,
): string[] {
  return [...(before?.(index) ?? []), ...curlOf(sent, url, secrets).split('\n')];
}

/** One sentence for each typical error that the differences look like. */
function hintsFor({ step, received, differences }: Played): string[] {
  const isOtherResponse = differences.some(({ of }) => of === 'status'); // then its body differs too
  const hints = differences.filter(({ of }) => !isOtherResponse || of !== 'body').map(hintFor);
  const isAnonymous = step.as === undefined || step.as === 'anonymous';
  const isRefused = received?.status === 401 || received?.status === 403;
  if (isAnonymous && isRefused && isOtherResponse) hints.unshift('The caller is anonymous: is `as: admin` missing?');
  return [...new Set(hints.filter(hint => hint !== undefined))];
}

function hintFor({ of, pointer, expected, found }: MatchDifference): string | undefined {
  if (of === 'connection' && found === 'broken')
    return 'If a fault is supposed to break the connection, write `expect: { connection: broken }`.';
  if (of === 'body' && pointer === '' && found === undefined)
    return 'The response has no body: omit `body`, or write `body: { $absent: true }`.';
  if (isSameButForType(expected, found))
    return `${JSON.stringify(expected)} and ${JSON.stringify(found)} differ only in their type: one of them is text.`;
  if (of === 'body' && expected === undefined)
    return 'A body is compared as a whole. To compare only a part, use `{ $contains: { … } }`.';
  if (Array.isArray(expected) && Array.isArray(found)) return listHint(expected, found);
  return undefined;
}

function listHint(expected: readonly unknown[], found: readonly unknown[]): string | undefined {
  const isAmong = (element: unknown) => found.some(other => isDeepStrictEqual(element, other));
  const isPart = expected.length < found.length && expected.every(isAmong);
  return isPart ? 'A list is compared as a whole. To compare only a part, use `{ $contains: […] }`.' : undefined;
}

function isSameButForType(expected: unknown, found: unknown): boolean {
  if (isObject(expected) || isObject(found) || typeof expected === typeof found) return false;
  return found !== undefined && expected !== undefined && String(expected) === String(found);
}
