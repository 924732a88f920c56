// What a contract relies on by the address of its provider: reported once for each file, and never as a contradiction.
import { expect } from 'chai';
import type { Verification } from '../../../../harness/verify/contract/verdict.js';
import { addressBreaks } from '../../../../harness/verify/judging/address-reliance.js';
import { sensitivities } from '../../../../harness/verify/results/contract-sensitivity.js';
import { contractLines } from '../../../../harness/verify/results/render-verification.js';
import { byContract, totalsOf } from '../../../../harness/verify/results/totals.js';
import { painter } from '../../../../server/process/colors.js';
import { adds, contractOf, ppf, pushes, replies, shortly, verifying } from '../running.js';

const member = { group: 'customers', users: ['alice'] };
const success = { status: { $: { matchers: [{ match: 'statusCode', status: 'success' }], combine: 'AND' } } };
const adding = adds('adds a member', member, { status: 200, matchingRules: success });
const refused = adds('a group that is no text', { group: 7, users: [] }, replies(400));
const wiki = contractOf([
  adding,
  adds('adds a user who is not there', { group: 'customers', users: ['bob'] }, replies(404)),
]);
const push = contractOf([pushes('a push', { users: ['alice'], filters: [10500] }, replies(200))], ppf);

describe('the address of the provider', () => {
  let verification: Verification;
  before(async () => {
    verification = await verifying([wiki, push], { isSensitive: true });
  });

  it('is tried for the wiki extension, and breaks interactions with its prefix', () => {
    const breaks = byContract(verification.verdicts).map(({ verdicts }) => addressBreaks(verdicts));
    expect(
      breaks.map(some => some.map(({ gap, reading, breaks, tried }) => [gap, reading, breaks, tried])),
    ).to.deep.equal([
      [
        ['wiki-prefix', 'rest-api', 1, 2], // a client that expects 404 gets it
        ['wiki-prefix', 'bare', 1, 2],
      ],
      [],
    ]);
    expect(breaks[0]?.[0]?.difference?.part).to.equal('status');
  });

  it('is reported once for each file, and does not count', () => {
    const [ofWiki, ofPush] = byContract(verification.verdicts);
    const says =
      'The contract relies on the base path of its provider: 1 of 2 interactions would fail under wiki-prefix=rest-api or wiki-prefix=bare. --strict ignores this.';
    const linesOf = (one: typeof ofWiki) => (one === undefined ? [] : contractLines(one, true, painter(false)));
    expect(linesOf(ofWiki).filter(line => line.includes('base path of its provider'))).to.deep.equal([`! ${says}`]);
    expect(linesOf(ofPush).join()).to.not.include('base path of its provider');
    expect(shortly(verification.verdicts[0]?.classification ?? { kind: 'unknown' })).to.equal('documented');
    expect(totalsOf(ofPush?.verdicts ?? [], true).counting).to.equal(0);
    expect(sensitivities(verification.verdicts).map(({ passesUnderAll }) => passesUnderAll)).to.deep.equal([
      false,
      true,
    ]);
  });

  for (const readings of [{ 'context-path': '/wiki' }, { 'wiki-prefix': 'bare' }] as const)
    it(`makes no correct contract contradict a rule: ${JSON.stringify(readings)}`, async () => {
      const contracts = contractOf([adding, refused]);
      const { verdicts } = await verifying(contracts, { readings });
      const [[gap, reading]] = Object.entries(readings) as [[string, string]];
      expect(verdicts.map(({ outcome, classification }) => [outcome, shortly(classification)])).to.deep.equal([
        ['failed', `rests on ${gap}=${reading}`],
        ['failed', `rests on ${gap}=${reading}`],
      ]);
      for (const { classification } of verdicts) expect(classification).to.not.have.property('unshown'); // it describes what they ask for
    });
});
