// The readings that could be chosen instead of one, as documents list them.
import { type GapId, gapSpec, readingNames } from '../operations/gaps/gaps.js';

/** The other readings of a gap, in Markdown: names as code, and the form of further ones where there are such. */
export function alternatives(gap: GapId, reading: string): string {
  const { open } = gapSpec(gap);
  const others = readingNames(gap).filter(name => name !== reading);
  return [...others.map(name => `\`${name}\``), ...(open === undefined ? [] : [open.form])].join(', ');
}
