// What the declaration of an operation forbids: an undeclared name does not compile.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snippets } from '../support/files/snippets.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (module: string) => JSON.stringify(join(root, 'server/operations', module));

interface Snippet {
  readonly rule?: string;
  readonly refusal?: string;
  readonly gap?: string;
  readonly reading?: string;
  readonly reply?: string;
  readonly field?: string;
  readonly fact?: string;
}

/** An operation in which each of these may be the declared name or another one. */
function source(snippet: Snippet): string {
  const { rule = 'groups.ping', refusal = 'unknown-user', gap = 'no-change', reading = '409' } = snippet;
  const { reply = '{ status: 200, body: { done: true } }', field = 'group', fact = '' } = snippet;
  return `
import { wikiAccess } from ${here('access.js')};
import { operation } from ${here('operation.js')};
import { boolean, object, string } from ${here('schema.js')};

export const ping = operation({
  id: 'groups.ping',
  family: 'wiki',
  summary: 'Ping',
  method: 'POST',
  path: '/groups/ping',
  body: { schema: object({ group: string('A group.') }, 'groups.ping', 'A body.') },
  access: wikiAccess,
  rules: { 'groups.ping': { says: 'It answers.', source: '1' } },
  refusals: ['unknown-user'],
  gaps: ['no-change'],
  replies: [{ status: 200, when: 'Done.', body: object({ done: boolean('Done.') }, 'groups.ping', 'A reply.') }],
  examples: [],
  decide(given) {
    given.applies('${rule}');
    if (given.reading('${gap}') === '${reading}') return given.refuse('${refusal}', given.input.body.${field});
    return given.accept([${fact}], ${reply});
  },
});
`;
}

/** Code that does not compile, with the error code and a word of its message. */
const wrong: Record<string, [Snippet, code: string, says: string]> = {
  'an undeclared rule': [{ rule: 'groups.pong' }, 'TS2345', 'groups.pong'],
  'an undeclared refusal': [{ refusal: 'unknown-group' }, 'TS2345', 'unknown-group'],
  'a refusal that there is not': [{ refusal: 'nonsense' }, 'TS2345', 'nonsense'],
  'an undeclared gap': [{ gap: 'unknown-user' }, 'TS2345', 'unknown-user'],
  'a reading that the gap does not have': [{ reading: 'skip' }, 'TS2367', 'skip'],
  'a reply of another status': [{ reply: '{ status: 204, body: { done: true } }' }, 'TS2322', '204'],
  'a reply of another shape': [{ reply: "{ status: 200, body: { done: 'yes' } }" }, 'TS2322', 'boolean'],
  'a reply that lacks a field': [{ reply: '{ status: 200, body: {} }' }, 'TS2741', 'done'],
  'a reply without the body': [{ reply: '{ status: 200 }' }, 'TS2741', 'body'],
  'a field that the body does not have': [{ field: 'users' }, 'TS2339', 'users'],
  'a fact that there is not': [{ fact: "{ type: 'group-exploded', group: 'a' }" }, 'TS2322', 'group-exploded'],
  'a fact that lacks a part': [{ fact: "{ type: 'group-member-added', group: 'a' }" }, 'TS2322', 'user'],
};
const right: Record<string, Snippet> = {
  'all that was declared': {},
  'a fact that there is': { fact: "{ type: 'group-member-added', group: 'a', user: 'b' }" },
};

export const snippets: Snippets<string> = {
  right: Object.fromEntries(Object.entries(right).map(([title, snippet]) => [title, source(snippet)])),
  wrong: Object.fromEntries(
    Object.entries(wrong).map(([title, [snippet, code, says]]) => [title, [source(snippet), code, says]]),
  ),
  source: text => text,
};
