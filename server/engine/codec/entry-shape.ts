// The shape of a journal entry as a note. That its body is JSON where it says so is left to who wrote it.
import { isObject } from '../../domain/form/patch.js';
import type { Forwarded, JournalEntry, NewJournalEntry, Unread } from '../journal/journal-entry.js';
import { factsShape } from './change-shape.js';
import { count, mapOf, maybe, mustBe, number, objectOf, oneOf, type Shape, text, texts } from './shape.js';

type UnreadOf<K extends Unread['kind']> = Omit<Extract<Unread, { kind: K }>, 'kind'>;
const problem = objectOf<UnreadOf<'not-json'>>({ problem: text });
const unreadShapes: { readonly [K in Unread['kind']]: Shape } = {
  empty: objectOf<UnreadOf<'empty'>>({}),
  'not-json': problem,
  'not-utf8': objectOf<UnreadOf<'not-utf8'>>({}),
  'too-large': objectOf<UnreadOf<'too-large'>>({ limit: count }),
  encoding: problem,
  'cut-short': problem,
};
const kind = oneOf(...Object.keys(unreadShapes));
const unread: Shape = value => {
  if (!isObject(value)) return mustBe('an object', value);
  const misfit = kind(value.kind);
  return misfit === undefined ? unreadShapes[value.kind as Unread['kind']](value) : `/kind${misfit}`; // it is one of them
};

const some = maybe(text);
const list = maybe(texts);

export const noteShape: Shape = objectOf<NewJournalEntry>({
  at: text,
  requestId: some,
  method: text,
  url: text,
  operation: some,
  endpoint: some,
  base: some,
  params: maybe(mapOf(text)),
  caller: some,
  unasked: some,
  unproved: some,
  readings: some,
  unknownQuery: list,
  repeatedQuery: list,
  expand: list,
  request: objectOf<JournalEntry['request']>({ contentType: text, body: some, unread: maybe(unread) }),
  answer: objectOf<JournalEntry['answer']>({ status: count, body: some }),
  refused: some,
  rules: texts,
  gaps: mapOf(text),
  facts: factsShape,
  fault: some,
  before: count,
  version: count,
  leaked: maybe(oneOf(true)),
  forwarded: maybe(
    objectOf<Forwarded>({ to: text, duration: number, problem: some, departs: list, agrees: maybe(mapOf(texts)) }),
  ),
});
