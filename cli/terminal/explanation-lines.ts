// The explanation of a response for people: the response, each rule and reading with its meaning, and what other readings would change. Nothing is cut.
import { factText, type NamedItems } from '../../server/derive/text/fact-text.js';
import { visible } from '../../server/derive/text/visible.js';
import { isObject } from '../../server/domain/form/patch.js';
import type { Differing } from '../../server/engine/differing.js';
import type {
  ExplainedGap,
  ExplainedResponse,
  ExplainedResult,
  Explanation,
  OtherReading,
} from '../../server/engine/look-back/explain.js';
import { hanging } from './wrap.js';

export function isExplanation(value: unknown): value is Explanation {
  return isObject(value) && typeof value.entry === 'number' && Array.isArray(value.gaps) && Array.isArray(value.rules);
}

/** `width`: maximum columns of a line. */
export function explanationLines(explanation: Explanation, width: number): string[] {
  const { entry, method, url, under } = explanation;
  return [
    ...hanging(`#${entry} `, visible(`${explanation.caller ?? '-'} ${method} ${url}`), width),
    ...resultLines(explanation, width),
    ...(under === undefined ? [] : underLines(under, width)),
  ];
}

function underLines(under: NonNullable<Explanation['under']>, width: number): string[] {
  const readings = Object.entries(under.readings).map(([gap, reading]) => `${gap}=${reading}`);
  return [
    '',
    ...hanging('', `Under ${readings.join(', ')}:`, width),
    ...resultLines(under, width),
    '',
    ...(under.differences.length === 0 ? ['No difference.'] : ['Differences:']),
    ...under.differences.flatMap(differing => hanging('  ', differenceText(differing), width)),
  ];
}

function resultLines(explained: ExplainedResult, width: number): string[] {
  const { operation, response, refused, fault, rules, gaps, facts } = explained;
  const about = [operation ?? 'no operation', ...(refused === undefined ? [] : [`refused: ${refused}`])];
  return [
    ...hanging(
      '',
      [`${response.status}`, ...about, ...(fault === undefined ? [] : [`fault: ${fault}`])].join(' · '),
      width,
    ),
    ...bodyText(response).flatMap(line => (line.length + 2 <= width ? [`  ${line}`] : hanging('  ', line, width))),
    ...section(
      'Changes',
      facts.map(fact => hanging('  ', `${visible(factText(fact, nameless))}.`, width)),
    ),
    ...section(
      'Rules',
      rules.map(({ rule, says, source, statements }) => [
        `  ${rule}`,
        ...hanging('      ', visible(says), width),
        ...hanging('      ', sourceText(source, statements), width),
      ]),
    ),
    ...section(
      'Readings',
      gaps.map(gap => gapLines(gap, width)),
    ),
  ];
}

/** The titles of filters and dashboards are not part of an explanation. */
const nameless: NamedItems = { filters: new Map(), dashboards: new Map() } as never;

function section(title: string, parts: ReadonlyArray<readonly string[]>): string[] {
  return parts.length === 0 ? [] : ['', `${title}:`, ...parts.flat()];
}

function gapLines(
  { gap, asks, source, statements, reading, means, others = [] }: ExplainedGap,
  width: number,
): string[] {
  return [
    `  ${gap}=${visible(reading)}`,
    ...hanging('      ', visible(asks), width),
    ...hanging(`      ${reading}: `, visible(means), width),
    ...others.flatMap(other => hanging(`      ${other.reading}: `, otherText(other), width)),
    ...hanging('      ', sourceText(source, statements), width),
  ];
}

function otherText({ means, same, says }: OtherReading): string {
  return visible(`${means}. ${same ? 'The response would be the same.' : `The response would be: ${says}`}`);
}

function sourceText(source: string, statements: readonly string[]): string {
  const numbers =
    statements.length === 0
      ? ''
      : ` (statement${statements.length === 1 ? '' : 's'} ${statements.join(', ')} in docs/document.md)`;
  return visible(`Document: ${source}${numbers}`);
}

function bodyText({ body }: ExplainedResponse): string[] {
  if (body === undefined) return [];
  return (typeof body === 'string' ? body : JSON.stringify(body)).split('\n').map(visible);
}

function differenceText({ at, was, wouldBe }: Differing): string {
  const text = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
  return visible(`${at}: ${text(wouldBe)} instead of ${text(was)}`);
}
