// Lines of a view: text with a mark or a heading, wrapped and painted.
import { visible } from '../../server/derive/text/visible.js';
import type { Paint, TextStyle } from '../../server/process/colors.js';
import { hanging, wrapped } from './wrap.js';

/** Where views are drawn. */
export interface Canvas {
  /** Columns. */
  readonly width: number;
  readonly paint: Paint;
}

/** The left margin of all lines but the title of a step. */
export const MARGIN = '    ';

/** Text with a mark in the margin. */
export function marked(mark: string, text: string, format: TextStyle, { width, paint }: Canvas): string[] {
  return hanging(`${MARGIN}${mark} `, visible(text), width).map(line => paint(format, line));
}

/** Text with a heading, each in its own format. Further lines are indented. */
export function headed(
  head: string,
  text: string,
  [ofHead, ofText]: readonly [TextStyle, TextStyle],
  { width, paint }: Canvas,
): string[] {
  const start = visible(head);
  const lines = wrapped(`${start} ${visible(text)}`, width - MARGIN.length - 2);
  return lines.map((line, i) => {
    if (i > 0) return `${MARGIN}  ${paint(ofText, line)}`;
    const isWhole = line.startsWith(start); // otherwise the heading alone is wider than the canvas
    return `${MARGIN}${isWhole ? paint(ofHead, start) : ''}${paint(ofText, isWhole ? line.slice(start.length) : line)}`;
  });
}
