// How often conform names the right rule, no other rule, and the fault itself, for all faulty servers. Prints the misses.
import { expect } from 'chai';
import { correctServers, type FaultyServer, faultyServers } from '../../../harness/faulty-servers/list.js';
import { unseenServers } from '../../../harness/faulty-servers/unseen.js';
import { conformed, rulesThat, scenariosFor, serverWith } from '../../../support/other-servers/conforming.js';

interface Judged {
  readonly says: string;
  readonly rules: readonly string[];
  readonly contradicted: readonly string[];
  readonly isNamed: boolean;
}

const isRight = ({ rules, contradicted }: Judged) => contradicted.some(rule => rules.includes(rule));
const isOnly = (one: Judged) => isRight(one) && one.contradicted.every(rule => one.rules.includes(rule));

describe('conform, for all faulty servers', function () {
  this.timeout(1_500_000); // beside three other files
  const everything = scenariosFor();

  const judged = async ({ says, rule, change }: FaultyServer): Promise<Judged> => {
    const found = await conformed(serverWith(change), everything);
    const isNamed = found.verdicts.some(({ judgement, fault }) => judgement === 'contradicts' && fault !== undefined);
    return { says, rules: [rule].flat(), contradicted: rulesThat('contradicts', found), isNamed };
  };

  const shares = async (servers: readonly FaultyServer[]) => {
    const all: Judged[] = [];
    for (const server of servers) all.push(await judged(server));
    for (const { says, rules, contradicted } of all.filter(one => !isOnly(one)))
      console.log(`${rules.join(' or ')}: ${says}: contradicts ${contradicted.join(', ') || 'nothing'}`);
    const share = (isMeant: (one: Judged) => boolean) => all.filter(isMeant).length / all.length;
    const found = { right: share(isRight), only: share(isOnly), named: share(one => one.isNamed && isRight(one)) };
    console.log(found);
    return found;
  };

  it('contradicts the right rule for 95 %, only that one for 90 %, and names the fault for 90 %', async () => {
    const { right, only, named } = await shares(faultyServers.filter(({ unseen }) => unseen === undefined));
    expect(right, 'the right rule').to.be.at.least(0.95);
    expect(only, 'only the right rule').to.be.at.least(0.9);
    expect(named, 'the fault').to.be.at.least(0.9);
  });

  it('contradicts the right rule for 95 % of the faults that are not in the catalogue, and names the fault for 95 %', async () => {
    const { right, only, named } = await shares(unseenServers);
    expect(right, 'the right rule').to.be.at.least(0.95);
    expect(only, 'only the right rule').to.be.at.least(0.95);
    expect(named, 'the fault').to.be.at.least(0.95);
  });

  it('contradicts nothing if neither responses nor resources show the fault', async () => {
    for (const server of faultyServers)
      if (server.unseen !== undefined) expect((await judged(server)).contradicted, server.says).to.deep.equal([]);
  });

  for (const { says, change } of correctServers)
    it(`contradicts nothing if a server ${says}`, async () => {
      const found = await conformed(serverWith(change), everything);
      expect(rulesThat('contradicts', found)).to.deep.equal([]);
      expect(found.left).to.deep.equal([]);
    });
});
