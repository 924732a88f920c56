// What scenes are drawn with: text behind a mark or a heading, wrapped and painted. Knows nothing of scenarios.
import { visible } from '../../derive/text/visible.js';
import type { Format, Paint } from '../../report/paint.js';
import { hanging, wrapped } from './wrap.js';

/** What a scene is drawn on. */
export interface Canvas {
  /** Columns. */
  readonly width: number;
  readonly paint: Paint;
}

/** What stands left of everything but the say of a step. */
export const MARGIN = '    ';

/** Text behind a mark that stands in the margin. */
export function marked(mark: string, text: string, format: Format, { width, paint }: Canvas): string[] {
  return hanging(`${MARGIN}${mark} `, visible(text), width).map(line => paint(format, line));
}

/** Text behind a heading; each in a format of its own. Further lines stand a little to the right. */
export function headed(
  head: string,
  text: string,
  [ofHead, ofText]: readonly [Format, Format],
  { width, paint }: Canvas,
): string[] {
  const start = visible(head);
  const lines = wrapped(`${start} ${visible(text)}`, width - MARGIN.length - 2);
  return lines.map((line, i) => {
    if (i > 0) return `${MARGIN}  ${paint(ofText, line)}`;
    const isWhole = line.startsWith(start); // else the heading alone is wider than the canvas
    return `${MARGIN}${isWhole ? paint(ofHead, start) : ''}${paint(ofText, isWhole ? line.slice(start.length) : line)}`;
  });
}
