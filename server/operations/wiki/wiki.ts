// The common part of the wiki operations: the response of success.
import type { ReplySpec } from '../endpoint.js';
import type { Reading } from '../gaps/gaps.js';
import type { ReplyOf } from '../operation.js';
import type { Asks } from '../operation-context.js';
import { array, boolean, described, object, string, titled } from '../schema.js';

/** The empty object of a success. */
export const emptyObject = titled(
  'EmptyObject',
  described<Readonly<Record<string, never>>>({
    type: 'object',
    additionalProperties: false,
    description: 'An empty object.',
  }),
);
/** The report of the readings called `messages`. */
export const report = titled(
  'WikiReport',
  object(
    { success: boolean('Whether it was done.'), messages: array(string('A message.'), 'Empty on success.') },
    undefined,
    'The report that the vendor gives in a sister product.',
  ),
);

/** The responses of an operation with an undocumented response, by reading. */
export const wikiReplies = [
  { status: 200, when: 'It is done.', body: emptyObject, under: { 'wiki-success': 'object' } },
  { status: 200, when: 'It is done.', under: { 'wiki-success': 'empty' } },
  { status: 204, when: 'It is done.', under: { 'wiki-success': 'no-content' } },
  { status: 200, when: 'It is done.', body: report, under: { 'wiki-success': 'messages' } },
] as const satisfies readonly ReplySpec[];

/** The report when names were skipped. */
const skippedNames = titled(
  'SkippedNames',
  object(
    {
      success: described<false>({ const: false, description: 'Not everything was done.' }),
      messages: { ...array(string('A message.'), 'One for each skipped name.'), minItems: 1 },
    },
    undefined,
    'The report of an operation that skipped names.',
  ),
);
/** Also those about a skipped user, and a skipped group. */
export const skippedUser = {
  status: 200,
  when: 'A user was skipped.',
  body: skippedNames,
  under: { 'unknown-user': 'message' },
} as const;
export const namingReplies = [
  ...wikiReplies,
  skippedUser,
  { status: 200, when: 'A group was skipped.', body: skippedNames, under: { 'unknown-group': 'message' } },
] as const satisfies readonly ReplySpec[];

export type WikiReply = ReplyOf<(typeof namingReplies)[number]>;

const done = {
  object: { status: 200, body: {} },
  empty: { status: 200 },
  'no-content': { status: 204 },
  messages: { status: 200, body: { success: true, messages: [] } },
} as const satisfies Record<Reading<'wiki-success'>, WikiReply>;

/** The response of a successful wiki operation (gap wiki-success). `skipped`: the messages about skipped names, which come instead. */
export function wikiSuccess(given: Asks<'wiki-success'>, skipped: readonly string[] = []): WikiReply {
  if (skipped.length > 0) return { status: 200, body: { success: false, messages: skipped } };
  return done[given.deciding('wiki-success')];
}
