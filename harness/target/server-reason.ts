// The reason that a server gives with a refusal.
import { visible } from '../../server/derive/text/visible.js';
import type { Received } from '../../server/scenario/play/target.js';

/** Characters of a response that are looked at. */
const MOST = 4_000;

/** What the server says, in one line, and what helps against a check for forged requests. */
export function reasonIn({ text }: Pick<Received, 'text'>): string {
  const said = visible(
    text
      .slice(0, MOST)
      .replace(/<(style|script|head)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 150),
  );
  const hint = /xsrf/i.test(text) ? ". Add --header 'X-Atlassian-Token: no-check'" : '';
  return said === '' ? hint : ` (${said})${hint}`;
}
