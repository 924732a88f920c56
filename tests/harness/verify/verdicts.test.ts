// What "documented" and "contradicts" mean: every server that keeps the document passes, or none does. Everything else rests on something.
import { expect } from 'chai';
import type { Json } from '../../../harness/verify/contract/contract.js';
import { NOT_PART, type Verdict } from '../../../harness/verify/contract/verdict.js';
import { asks, contractOf, ppf, pushes, replies, requestOf, shortly, verifying } from './running.js';

const push = { users: ['alice'], filters: [10500] };
const withBob = { users: ['alice', 'bob'], filters: [10500] };
const done = { success: true, messages: [] };
const missing = { success: false, messages: ['Could not find user with name bob'] };

/** A response with matchers for its body. */
function matching(status: number, content: unknown, rules: Json): Json {
  return {
    ...replies(status, content),
    matchingRules: { body: Object.fromEntries(Object.entries(rules).map(([at, one]) => [at, { matchers: [one] }])) },
  };
}

const typed = { headers: { 'Content-Type': 'application/json' } };
const FLAG = { '$.messages': { match: 'type' } };

const table: ReadonlyArray<readonly [what: string, interaction: Json, verdict: string, unshown?: RegExp]> = [
  ['a flag on success', pushes('1', push, replies(200, { success: true })), 'documented'],
  ['a flag on failure', pushes('2', withBob, replies(200, { success: false })), 'documented'],
  ['messages as a list of any length', pushes('3', push, matching(200, done, FLAG)), 'documented'],
  ['the plain content type', pushes('4', push, { ...replies(200, { success: true }), ...typed }), 'documented'],
  ['no messages on success', pushes('5', push, replies(200, done)), 'rests on ', /messages are empty on success/],
  [
    'a charset',
    pushes('7', push, {
      ...replies(200, { success: true }),
      headers: { 'Content-Type': 'application/json;charset=UTF-8' },
    }),
    'rests on ',
    /whether the content type has a charset/,
  ],
  [
    'the name of the user in a message',
    pushes('8', withBob, {
      ...matching(200, missing, {
        '$.messages': {
          match: 'arrayContains',
          variants: [{ index: 0, rules: { $: { matchers: [{ match: 'regex', regex: '.*bob.*' }] } }, generators: {} }],
        },
      }),
    }),
    'rests on ',
    /may not name what failed/,
  ],
  [
    'two messages for one unknown user',
    pushes('9', withBob, matching(200, missing, { '$.messages': { match: 'type', min: 2 } })),
    'rests on ',
    /neither the number nor the form of messages/,
  ],
  [
    'a timestamp as a message',
    pushes('10', withBob, matching(200, missing, { '$.messages[0]': { match: 'timestamp', format: 'yyyy-MM-dd' } })),
    'rests on ',
    /neither the number nor the form of messages/,
  ],
  [
    'messages on success',
    pushes('11', push, matching(200, { success: true, messages: ['x'] }, { '$.messages': { match: 'type', min: 1 } })),
    'rests on ',
    /neither the number nor the form of messages/,
  ],
  [
    'no further fields',
    pushes('12', push, matching(200, { success: true, messages: [] }, { $: { match: 'equality' } })),
    'rests on ',
    /further fields/,
  ],
  [
    'another value of a content type',
    pushes('13', push, { ...replies(200, { success: true }), headers: { 'Content-Type': 'application/json;v=2' } }),
    'rests on ',
    /header Content-Type/,
  ],
  [
    'filters that are texts, refused with 400',
    pushes('14', { ...push, filters: ['10500'] }, replies(400)),
    'rests on field-type=400',
    /status 400/,
  ],
  ['no recipient, refused with 400', pushes('15', { filters: [10500] }, replies(400)), 'documented'],
  ['no item, refused with 400', pushes('16', { users: ['alice'] }, replies(400)), 'documented'],
  [
    'a field that the document does not show',
    pushes('19', push, replies(200, { success: true, timestamp: 1 })),
    'rests on ',
    /does not show the fields timestamp/,
  ],
  ['a misspelt field', pushes('20', push, replies(200, { sucess: true })), 'contradicts ppf.processed-is-200'],
  ['404 for an unknown user', pushes('21', withBob, replies(404)), 'contradicts ppf.processed-is-200'],
  ['another status', pushes('17', push, replies(500)), 'contradicts ppf.processed-is-200'],
  ['a wrong flag', pushes('18', push, replies(200, { success: false })), 'contradicts ppf.success-flag'],
];

describe('verify: each verdict names what it rests on', () => {
  let verdicts: readonly Verdict[];
  before(async function () {
    this.timeout(60_000);
    ({ verdicts } = await verifying(
      contractOf(
        table.map(([, interaction]) => interaction),
        ppf,
      ),
    ));
  });
  for (const [i, [what, , verdict, unshown]] of table.entries())
    it(`${what}: ${verdict}${unshown === undefined ? '' : 'what the document does not show'}`, () => {
      const classification = verdicts[i]?.classification ?? { kind: 'unknown' };
      expect(shortly(classification)).to.equal(verdict);
      const said = classification.kind === 'rests' ? (classification.unshown ?? []).join(' ') : '';
      if (unshown === undefined) expect(said).to.equal('');
      else expect(said).to.match(unshown);
    });

  it('names a gap alone if one decides the status of a refusal', async () => {
    const unknown = asks(
      'unknown',
      '/rest/cwxapiextension/latest/groups/add-users',
      { group: 'customers', users: ['nobody'] },
      replies(404),
    );
    const { verdicts } = await verifying(contractOf([unknown]), { readings: { 'unknown-user': '404' } });
    const [found] = verdicts;
    expect(found?.classification.kind === 'rests' && found.classification.unshown).to.equal(undefined);
    expect(shortly(found?.classification ?? { kind: 'unknown' })).to.contain('unknown-user=404');
  });

  it('does not hold resources of Confluence and Jira against the document, whether they pass or fail', async () => {
    const path = '/rest/api/group/customers/member';
    const one = (description: string, status: number) => ({
      ...asks(description, path, undefined, replies(status)),
      request: requestOf('GET', path, undefined),
    });
    const { verdicts } = await verifying(contractOf([one('passes', 200), one('fails', 418)]));
    expect(verdicts.map(({ outcome, classification }) => [outcome, classification])).to.deep.equal(
      ['passed', 'failed'].map(outcome => [outcome, { kind: 'rests', on: [], unshown: [NOT_PART] }]),
    );
  });
});
