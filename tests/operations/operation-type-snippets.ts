// What the declarations of an operation, a stage and an access forbid: an undeclared name does not compile.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snippets } from '../support/files/snippets.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (module: string) => JSON.stringify(join(root, 'server', module));

/** What each may give, by what it is; absent: what is declared. */
const declared = {
  rule: 'groups.ping',
  refusal: 'unknown-user',
  gap: 'no-change',
  reading: '409',
  reply: '{ status: 200, body: { done: true } }',
  field: 'group',
  fact: '',
  stageRule: 'expand.list',
  stageRefusal: 'unknown-expand',
  stageGap: 'expand-unknown',
  stageReading: '400',
  /** A refusal of a function that receives the stage's declaration. */
  handed: 'unknown-expand',
  accessGap: 'wiki-auth',
};
type Snippet = Partial<typeof declared>;

/** An operation, a stage and an access in which one of these is another. */
function source(snippet: Snippet): string {
  const is = { ...declared, ...snippet };
  return `
import { everyOperation, stage } from ${here('engine/request/stage.js')};
import { access, wikiAccess } from ${here('operations/access.js')};
import { operation } from ${here('operations/operation.js')};
import type { Grounds, Refused } from ${here('operations/provenance.js')};
import { boolean, object, string } from ${here('operations/schema.js')};

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
    given.applies('${is.rule}');
    if (given.reading('${is.gap}') === '${is.reading}') return given.refuse('${is.refusal}', given.input.body.${is.field});
    return given.accept([${is.fact}], ${is.reply});
  },
});

export const one = stage({
  name: 'one',
  steps: [
    { name: 'gap', concerns: everyOperation, gaps: ['expand-unknown'], rules: ['expand.list'] },
    { name: 'refusal', concerns: everyOperation, refusals: ['unknown-expand'] },
  ],
  run({ request }, given) {
    given.applies('${is.stageRule}');
    if (given.reading('${is.stageGap}') === '${is.stageReading}') return given.refuse('${is.stageRefusal}', request.url);
    return refused(given);
  },
});

function refused(given: Grounds<'${is.handed}'>): Refused {
  return given.refuse('${is.handed}', 'It is refused.');
}

export const open = access({
  says: 'Anybody may call.',
  rules: {},
  gaps: ['wiki-auth'],
  refusals: ['wiki-anonymous'],
  check: given => (given.reading('${is.accessGap}') === 'open' ? undefined : given.refuse('wiki-anonymous', 'It takes a user.')),
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
  'an undeclared rule of a stage': [{ stageRule: 'expand.nested' }, 'TS2345', 'expand.nested'],
  'an undeclared refusal of a stage': [{ stageRefusal: 'unknown-field' }, 'TS2345', 'unknown-field'],
  'an undeclared gap of a stage': [{ stageGap: 'unknown-user' }, 'TS2345', 'unknown-user'],
  'a reading that the gap of a stage does not have': [{ stageReading: '409' }, 'TS2367', '409'],
  'a function that refuses with what is undeclared': [{ handed: 'unknown-field' }, 'TS2345', 'unknown-field'],
  'an access that asks an undeclared gap': [{ accessGap: 'wiki-success' }, 'TS2345', 'wiki-success'],
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
