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
import { hanging, widthOf } from './wrap.js';

export function isExplanation(value: unknown): value is Explanation {
  return isObject(value) && typeof value.entry === 'number' && Array.isArray(value.gaps) && Array.isArray(value.rules);
}

/** A head and the text beside it; a text alone begins its line. */
type Line = readonly [head: string, text: string] | string;

/** `width`: maximum columns of a line. */
export function explanationLines(explanation: Explanation, width: number): string[] {
  const { entry, method, url, under } = explanation;
  const lines: Line[] = [
    [`#${entry} `, `${explanation.caller ?? '-'} ${method} ${url}`],
    ...resultLines(explanation),
    ...(under === undefined ? [] : underLines(under)),
  ];
  return lines.flatMap(line => {
    const [head, text] = typeof line === 'string' ? ['', line] : line;
    const whole = `${head}${visible(text)}`;
    return widthOf(whole) <= width ? whole : hanging(head, visible(text), width);
  });
}

function underLines(under: NonNullable<Explanation['under']>): Line[] {
  const readings = Object.entries(under.readings).map(([gap, reading]) => `${gap}=${reading}`);
  return [
    '',
    `Under ${readings.join(', ')}:`,
    ...resultLines(under),
    '',
    under.differences.length === 0 ? 'No difference.' : 'Differences:',
    ...under.differences.map(differing => ['  ', differenceText(differing)] as const),
  ];
}

function resultLines(explained: ExplainedResult): Line[] {
  const { operation, response, refused, fault, stub, rules, gaps, facts } = explained;
  const about = [operation ?? 'no operation', ...(refused === undefined ? [] : [`refused: ${refused}`])];
  return [
    [
      `${response.status}`,
      ...about,
      ...(fault === undefined ? [] : [`fault: ${fault}`]),
      ...(stub === undefined ? [] : [`stub: ${stub}`]),
    ].join(' · '),
    ...bodyText(response).map(line => ['  ', line] as const),
    ...section(
      'Changes',
      facts.map(fact => ['  ', `${factText(fact, nameless)}.`]),
    ),
    ...section(
      'Rules',
      rules.flatMap(({ rule, says, source, statements }) => [
        ['  ', rule],
        ['      ', says],
        ['      ', sourceText(source, statements)],
      ]),
    ),
    ...section('Readings', gaps.flatMap(gapLines)),
  ];
}

/** The titles of filters and dashboards are not part of an explanation. */
const nameless: NamedItems = { filters: new Map(), dashboards: new Map() } as never;

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function gapLines({ gap, asks, source, statements, reading, means, others = [] }: ExplainedGap): Line[] {
  return [
    ['  ', `${gap}=${reading}`],
    ['      ', asks],
    [`      ${reading}: `, means],
    ...others.map(other => [`      ${other.reading}: `, otherText(other)] as const),
    ['      ', sourceText(source, statements)],
  ];
}

function otherText({ means, same, says }: OtherReading): string {
  return `${means}. ${same ? 'The response would be the same.' : `The response would be: ${says}`}`;
}

function sourceText(source: string, statements: readonly string[]): string {
  const numbers =
    statements.length === 0
      ? ''
      : ` (statement${statements.length === 1 ? '' : 's'} ${statements.join(', ')} in docs/document.md)`;
  return `Document: ${source}${numbers}`;
}

function bodyText({ body }: ExplainedResponse): string[] {
  if (body === undefined) return [];
  return (typeof body === 'string' ? body : JSON.stringify(body)).split('\n');
}

function differenceText({ at, was, wouldBe }: Differing): string {
  const text = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
  return `${at}: ${text(wouldBe)} instead of ${text(was)}`;
}
