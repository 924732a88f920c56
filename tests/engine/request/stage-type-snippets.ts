// What a stage or access may not do: returning what it did not declare does not compile.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snippets } from '../../support/files/snippets.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = (module: string) => JSON.stringify(join(root, 'server', module));

interface Snippet {
  readonly rule?: string;
  readonly refusal?: string;
  readonly gap?: string;
  readonly reading?: string;
  /** A refusal of a function that receives the stage's declaration. */
  readonly handed?: string;
  /** A gap of an access. */
  readonly access?: string;
}

/** A stage and an access in which each of these may be what was declared, or something else. */
function source(snippet: Snippet): string {
  const { rule = 'expand.list', refusal = 'unknown-expand', gap = 'expand-unknown', reading = '400' } = snippet;
  const { handed = 'unknown-expand', access = 'wiki-auth' } = snippet;
  return `
import { everyOperation, stage } from ${here('engine/request/stage.js')};
import { access } from ${here('operations/access.js')};
import type { Grounds, Refused } from ${here('operations/provenance.js')};

export const one = stage({
  name: 'one',
  steps: [
    { name: 'gap', concerns: everyOperation, gaps: ['expand-unknown'], rules: ['expand.list'] },
    { name: 'refusal', concerns: everyOperation, refusals: ['unknown-expand'] },
  ],
  run({ request }, given) {
    given.applies('${rule}');
    if (given.reading('${gap}') === '${reading}') return given.refuse('${refusal}', request.url);
    return refused(given);
  },
});

function refused(given: Grounds<'${handed}'>): Refused {
  return given.refuse('${handed}', 'It is refused.');
}

export const open = access({
  says: 'Anybody may call.',
  rules: {},
  gaps: ['wiki-auth'],
  refusals: ['wiki-anonymous'],
  check: given => (given.reading('${access}') === 'open' ? undefined : given.refuse('wiki-anonymous', 'It takes a user.')),
});
`;
}

/** Snippets that must not compile, each with its error code and a word of the message. */
const wrong: Record<string, [Snippet, code: string, says: string]> = {
  'an undeclared rule': [{ rule: 'expand.nested' }, 'TS2345', 'expand.nested'],
  'an undeclared refusal': [{ refusal: 'unknown-field' }, 'TS2345', 'unknown-field'],
  'an undeclared gap': [{ gap: 'unknown-user' }, 'TS2345', 'unknown-user'],
  'a reading that the gap does not have': [{ reading: '409' }, 'TS2367', '409'],
  'a function that refuses with what is undeclared': [{ handed: 'unknown-field' }, 'TS2345', 'unknown-field'],
  'an access that asks an undeclared gap': [{ access: 'wiki-success' }, 'TS2345', 'wiki-success'],
};

export const snippets: Snippets<string> = {
  right: { 'all that was declared': source({}) },
  wrong: Object.fromEntries(
    Object.entries(wrong).map(([title, [snippet, code, says]]) => [title, [source(snippet), code, says]]),
  ),
  source: text => text,
};
