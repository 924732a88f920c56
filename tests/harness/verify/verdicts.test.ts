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

const FORM = /neither the number nor the form of messages/;
const namesBob = { index: 0, rules: { $: { matchers: [{ match: 'regex', regex: '.*bob.*' }] } }, generators: {} };

/** A push, by default one that succeeds, with the response a contract expects, and the verdict on it. */
interface Expected {
  readonly body?: Json;
  readonly response: Json;
  readonly verdict?: string;
  readonly unshown?: RegExp;
}
const success = replies(200, { success: true });
const unproven: Readonly<Record<string, Expected>> = {
  'no messages on success': { response: replies(200, done), unshown: /messages are empty on success/ },
  'a charset': {
    response: { ...success, headers: { 'Content-Type': 'application/json;charset=UTF-8' } },
    unshown: /whether the content type has a charset/,
  },
  'the name of the user in a message': {
    body: withBob,
    response: matching(200, missing, { '$.messages': { match: 'arrayContains', variants: [namesBob] } }),
    unshown: /may not name the item that failed/,
  },
  'two messages for one unknown user': {
    body: withBob,
    response: matching(200, missing, { '$.messages': { match: 'type', min: 2 } }),
    unshown: FORM,
  },
  'a timestamp as a message': {
    body: withBob,
    response: matching(200, missing, { '$.messages[0]': { match: 'timestamp', format: 'yyyy-MM-dd' } }),
    unshown: FORM,
  },
  'messages on success': {
    response: matching(200, { success: true, messages: ['x'] }, { '$.messages': { match: 'type', min: 1 } }),
    unshown: FORM,
  },
  'no further fields': { response: matching(200, done, { $: { match: 'equality' } }), unshown: /further fields/ },
  'another value of a content type': {
    response: { ...success, headers: { 'Content-Type': 'application/json;v=2' } },
    unshown: /header Content-Type/,
  },
  'filters that are texts, refused with 400': {
    body: { ...push, filters: ['10500'] },
    response: replies(400),
    verdict: 'rests on field-type=400',
    unshown: /status 400/,
  },
  'a field that the document does not show': {
    response: replies(200, { success: true, timestamp: 1 }),
    unshown: /does not show the fields timestamp/,
  },
};
const proven: Readonly<Record<string, Expected>> = {
  'a flag on success': { response: success },
  'a flag on failure': { body: withBob, response: replies(200, { success: false }) },
  'messages as a list of any length': { response: matching(200, done, FLAG) },
  'the plain content type': { response: { ...success, ...typed } },
  'no recipient, refused with 400': { body: { filters: [10500] }, response: replies(400) },
  'no item, refused with 400': { body: { users: ['alice'] }, response: replies(400) },
};
const processed = 'contradicts ppf.processed-is-200';
const refuted: Readonly<Record<string, Expected>> = {
  'a misspelt field': { response: replies(200, { sucess: true }), verdict: processed },
  '404 for an unknown user': { body: withBob, response: replies(404), verdict: processed },
  'another status': { response: replies(500), verdict: processed },
  'a wrong flag': { response: replies(200, { success: false }), verdict: 'contradicts ppf.success-flag' },
};
const table = Object.entries({ ...unproven, ...proven, ...refuted });

describe('verify: each verdict names what it rests on', () => {
  let verdicts: readonly Verdict[];
  before(async function () {
    this.timeout(60_000);
    const pushed = table.map(([what, { body = push, response }]) => pushes(what, body, response));
    ({ verdicts } = await verifying(contractOf(pushed, ppf)));
  });
  for (const [i, [what, { unshown, verdict = unshown ? 'rests on ' : 'documented' }]] of table.entries())
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
