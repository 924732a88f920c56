// The visible text of a page: what stands between its tags, with entities decoded, and the body that other texts make of it.
import type { Meter } from '../../domain/search.js';

/** A text as replacements see it. */
export interface TextParts {
  readonly texts: readonly string[];
  /** The whole, with others in their place. */
  readonly joined: (changed: readonly string[]) => string;
}

/** A text as it is. */
export function plainText(text: string): TextParts {
  return { texts: [text], joined: changed => changed.join('') };
}

/** What a tag costs, in steps of a search. */
const TAG = 16;

/** The texts between the tags of a body. Comments and CDATA sections count as tags. `undefined`: it has more tags than the meter allows. */
export function visibleText(body: string, meter: Meter): TextParts | undefined {
  const parts: string[] = []; // texts and tags in turn
  let from = 0;
  for (let at = body.indexOf('<'); at !== -1 && !meter.isExceeded; ) {
    const end = tagEnd(body, at);
    if (end !== -1) {
      parts.push(body.slice(from, at), body.slice(at, end));
      from = end;
    }
    meter.steps += TAG;
    at = body.indexOf('<', end === -1 ? at + 1 : end);
  }
  if (meter.isExceeded) return undefined;
  parts.push(body.slice(from));
  const texts = parts.filter((_, i) => i % 2 === 0).map(decoded);
  return { texts, joined: changed => withTexts(parts, texts, changed) };
}

/** A text that has not changed stays as it was written. */
function withTexts(parts: readonly string[], texts: readonly string[], changed: readonly string[]): string {
  const written = (part: string, i: number) => (changed[i] === texts[i] ? part : encoded(changed[i] ?? ''));
  return parts.map((part, i) => (i % 2 === 0 ? written(part, i / 2) : part)).join('');
}

/** How a section begins and ends; if nothing ends it, the rest of the body belongs to it. */
const sections = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;
const TAG_START = /[A-Za-z/!?]/;

/** Where the tag ends that begins at a `<`; -1: it begins none, so it is text. */
function tagEnd(body: string, at: number): number {
  const section = sections.find(([start]) => body.startsWith(start, at));
  if (section === undefined && !TAG_START.test(body.charAt(at + 1))) return -1;
  const [start, close] = section ?? ['<', '>'];
  const end = body.indexOf(close, at + start.length);
  return end === -1 ? body.length : end + close.length;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;

function decoded(text: string): string {
  return text.includes('&') ? text.replace(ENTITY, character) : text;
}

function character(entity: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name !== undefined) return named[name] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : entity;
}

function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
