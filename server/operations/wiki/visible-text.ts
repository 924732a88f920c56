// The visible text of a page: its text without tags, with references such as &amp; decoded, and the body with other texts in their place.
import { Tokenizer } from 'htmlparser2';
import type { Meter } from '../../domain/search.js';

/** A part of a text that is written otherwise than it reads: `&` as `&amp;`. */
interface Mark {
  readonly at: number;
  readonly length: number;
  readonly written: string;
}

/** A text as it reads, with the parts that are written otherwise, in order. */
export interface Marked {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** The texts of a body as replacements see it. */
export interface TextParts {
  readonly texts: readonly Marked[];
  /** The body with others in their place. Text that is in both stays as it is written. */
  readonly joined: (changed: readonly Marked[]) => string;
}

const noMarks: readonly Mark[] = Object.freeze([]);

export function unmarked(text: string): Marked {
  return { text, marks: noMarks };
}

/** A text as it is. */
export function plainText(text: string): TextParts {
  return { texts: [unmarked(text)], joined: changed => changed.map(part => part.text).join('') };
}

/** What a tag or a reference costs, in steps of a search. */
const TOKEN = 16;

/** The texts between the tags of a body. Comments and CDATA sections count as tags. `undefined`: it has more than the meter allows. */
export function visibleText(body: string, meter: Meter): TextParts | undefined {
  const texts = textsIn(body, meter);
  if (meter.isExceeded) return undefined;
  return {
    texts,
    joined(changed) {
      const pieces: string[] = [];
      let from = 0;
      texts.forEach((known, i) => {
        const now = changed[i] ?? known;
        pieces.push(body.slice(from, known.start), now === known ? body.slice(known.start, known.end) : written(now));
        from = known.end;
      });
      return [...pieces, body.slice(from)].join('');
    },
  };
}

/** A text with its place in the body. */
interface Place extends Marked {
  readonly start: number;
  readonly marks: Mark[];
  text: string;
  end: number;
}

/** Reads a body as a browser's tokenizer does, except that CDATA sections end with `]]>`. Stops when the meter is exceeded. */
function textsIn(body: string, meter: Meter): readonly Place[] {
  const texts: Place[] = [];
  /** The text that ends here, or a new one. */
  const placeAt = (start: number): Place => {
    const last = texts.at(-1);
    if (last?.end === start) return last;
    const place = { start, end: start, text: '', marks: [] };
    texts.push(place);
    return place;
  };
  const count = () => {
    meter.steps += TOKEN;
    if (meter.isExceeded) tokenizer.pause();
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext(start, end) {
        const text = body.slice(start, end);
        const place = placeAt(start);
        for (const { 0: written, index } of text.matchAll(MARKUP))
          place.marks.push({ at: place.text.length + index, length: 1, written });
        place.text += text;
        place.end = end;
      },
      ontextentity(code, end) {
        const last = texts.at(-1);
        const isSecond = last?.end === end; // some references stand for two characters
        const start = body.lastIndexOf('&', end - 1);
        const place = isSecond ? last : placeAt(start);
        const at = (isSecond ? place.marks.pop() : undefined)?.at ?? place.text.length;
        place.text += String.fromCodePoint(code);
        place.marks.push({ at, length: place.text.length - at, written: body.slice(start, end) });
        place.end = end;
        count();
      },
      onopentagname: count,
      onclosetag: count,
      oncomment: count,
      oncdata: count,
      ondeclaration: count,
      onprocessinginstruction: count,
      onattribname: count,
      onopentagend: nothing,
      onselfclosingtag: nothing,
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(body);
  tokenizer.end();
  return texts;
}

const MARKUP = /[&<>]/g;

function nothing(): void {}

/** How a text is written in a body. */
function written({ text, marks }: Marked): string {
  const pieces: string[] = [];
  let from = 0;
  for (const mark of marks) {
    pieces.push(encoded(text.slice(from, mark.at)), mark.written);
    from = mark.at + mark.length;
  }
  return [...pieces, encoded(text.slice(from))].join('');
}

function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** One replaced place of a text. */
export interface Edit {
  readonly at: number;
  readonly oldText: string;
  readonly newText: string;
}

/** A text with other text in some places, which are in order and do not overlap. */
export function edited(marked: Marked, edits: readonly Edit[]): Marked {
  if (edits.length === 0) return marked;
  const { text, marks } = marked;
  const pieces: string[] = [];
  const kept: Mark[] = [];
  let [from, shift, next] = [0, 0, 0];
  const keepUntil = (end: number) => {
    for (let mark = marks[next]; mark !== undefined && mark.at < end; mark = marks[++next])
      if (mark.at >= from && mark.at + mark.length <= end) kept.push({ ...mark, at: mark.at + shift });
  };
  for (const { at, oldText, newText } of edits) {
    keepUntil(at);
    pieces.push(text.slice(from, at), newText);
    from = at + oldText.length;
    shift += newText.length - oldText.length;
  }
  keepUntil(text.length);
  pieces.push(text.slice(from));
  return { text: pieces.join(''), marks: kept };
}
