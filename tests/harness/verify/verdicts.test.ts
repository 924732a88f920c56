// What "documented" and "contradicts" mean: every server that keeps the document passes, or none does. Everything else rests on something, and the
// server that ends differently is shown.
import { expect } from 'chai';
import { NOT_PART, type Verdict } from '../../../harness/verify/contract/verdict.js';
import { asks, contractOf, replies, requestOf, verifying } from './running.js';
import { rows } from './verdict-table.js';

const MESSAGES = 'The document gives neither the number nor the order nor the wording of messages.';
const PARAMETERS = 'The document gives the content type application/json, and does not show its parameters.';
const HEADERS = 'The document names no header of a response but the content type.';
const REPLIES = 'The responses of the extension operations are not shown.';
const fails = (does: string) => `A server that ${does} keeps the document and fails here.`;
const passes = (does: string) => `A server that ${does} keeps the document and passes here.`;

/** What is said of rows, by their descriptions. */
const sentences: Readonly<Record<string, string>> = {
  'adds, expects 200': `${REPLIES} ${fails('responds 204')}`,
  'adds, expects 429': `Rate limits, size limits and maximum list lengths are not shown. ${passes('responds 429')}`,
  'edits an unknown page, expects clientError': `The statuses and bodies of the extension errors are not shown. ${fails('responds 204')}`,
  'asks elsewhere, expects 200': `The document does not describe what this request asks for. ${passes('responds 200')}`,
  'isUnique with a body, expects success': `The document has query parameters only here: another server may refuse the request. ${fails('responds 422')}`,
  'edits the page abc, expects 404':
    'A server that follows page-id-format=any with unknown-page=400 keeps the document and fails here.',
  'pushes, expects no messages': `${MESSAGES} ${fails('sends 6 messages such as "!\\n\\"\\\\<b>{}"')}`,
  'pushes, expects lower case in keys': `The document does not exclude further fields. ${fails('sends further fields')}`,
  'pushes, expects a date': `${HEADERS} ${fails('sends no header Date')}`,
  'pushes, expects a charset': `${PARAMETERS} ${fails('sends the header Content-Type: application/json')}`,
  'pushes as Carol, expects messages': `The document does not show the body of a refusal. ${passes('responds as the contract expects')}`,
};

/** The rules that rows contradict: those of what differs or refused, not all that applied. */
const contradicted: Readonly<Record<string, readonly string[]>> = {
  'adds in another case, expects 200': ['address.case-sensitive'],
  'adds, expects 404': ['groups.body', 'groups.add-users'],
  'adds with PUT, expects success': ['groups.add-users'],
  'pushes, expects 201': ['ppf.processed-is-200'],
  'pushes, expects a false flag': ['ppf.success-flag'],
  'pushes nothing, expects 200': ['ppf.needs-recipient', 'ppf.needs-item'],
  'pushes to Bob, expects no messages': ['ppf.failure-message'],
  'pushes what is no JSON, expects 200': ['address.json-bodies'],
  'pushes as Carol, expects 200': ['ppf.admin-only'],
  'pushes with a wrong password, expects 200': ['ppf.authenticated'],
};

describe('verify: verdicts decided by hand', () => {
  const found = new Map<unknown, Verdict>();
  before(async () => {
    const contracts = ['wiki-extension', 'push-pull'].map(name => {
      const own = rows.filter(({ provider }) => provider === name).map(({ interaction }) => interaction);
      return contractOf(own, { provider: { name } });
    });
    const { verdicts } = await verifying(contracts);
    for (const verdict of verdicts) found.set(verdict.interaction.description, verdict);
  });

  for (const { interaction, verdict, on = [] } of rows)
    it(`${interaction.description}: ${verdict}${on.length === 0 ? '' : ` on ${on.join(', ')}`}`, () => {
      const { classification, problem } = found.get(interaction.description) ?? {};
      expect(classification?.kind, problem ?? JSON.stringify(classification)).to.equal(verdict);
      if (classification?.kind !== 'rests') return;
      expect(classification.on.map(({ gap }) => gap)).to.include.members([...on]);
      expect(classification.on.length + (classification.unshown ?? []).length).to.be.above(0);
    });

  it('says which server ends differently', () => {
    for (const [description, sentence] of Object.entries(sentences))
      expect(found.get(description)?.classification, description).to.have.property('unshown').that.includes(sentence);
  });

  it('names the rules that a contract contradicts', () => {
    for (const [description, rules] of Object.entries(contradicted))
      expect(found.get(description)?.classification, description).to.have.property('rules').that.deep.equals(rules);
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
