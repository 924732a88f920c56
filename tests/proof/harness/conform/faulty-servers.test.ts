// How often conform names the right rule, no other rule, and the fault itself, for all faulty servers. Prints the misses.
import { expect } from 'chai';
import { correctServers, faultyServers } from '../../../harness/faulty-servers/list.js';
import { conformed, rulesThat, scenariosFor, serverWith } from '../../../support/other-servers/conforming.js';

describe('conform, for all faulty servers', function () {
  this.timeout(1_500_000); // beside three other files
  const everything = scenariosFor();

  it('contradicts the right rule, only that one, and names the fault for 95 %', async () => {
    const counts = { right: 0, only: 0, named: 0 };
    for (const { says, rules, change } of faultyServers) {
      const found = await conformed(serverWith(change), everything);
      const contradicted = rulesThat('contradicts', found);
      const isRight = contradicted.some(rule => rules.includes(rule));
      const isOnly = isRight && contradicted.every(rule => rules.includes(rule));
      const isNamed = found.verdicts.some(({ judgement, fault }) => judgement === 'contradicts' && fault !== undefined);
      counts.right += Number(isRight);
      counts.only += Number(isOnly);
      counts.named += Number(isRight && isNamed);
      if (!isOnly) console.log(`${rules.join(' or ')}: ${says}: contradicts ${contradicted.join(', ') || 'nothing'}`);
    }
    const shares = Object.entries(counts).map(([what, count]) => [what, count / faultyServers.length] as const);
    console.log(Object.fromEntries(shares));
    for (const [what, share] of shares) expect(share, what).to.be.at.least(0.95);
  });

  for (const { says, change } of correctServers)
    it(`contradicts nothing if a server ${says}`, async () => {
      const found = await conformed(serverWith(change), everything);
      expect(rulesThat('contradicts', found)).to.deep.equal([]);
      expect(found.left).to.deep.equal([]);
    });
});
