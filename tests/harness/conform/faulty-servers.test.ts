// Conform blames some faulty servers for the right rule, and never believes a success that has no effect. tests/proof/harness has all servers.
import { expect } from 'chai';
import { at, doesNothing } from '../../../harness/conform/faults/fault-changes.js';
import { operations, rules } from '../../../server/operations/catalog/catalog.js';
import { conformed, rulesThat, scenariosFor, serverWith } from '../../support/other-servers/conforming.js';
import { withoutRest } from '../../support/other-servers/outside.js';
import { correctServers, faultyServers } from '../faulty-servers/list.js';

const everything = scenariosFor();

describe('conform', () => {
  for (const { says, rules: own, change } of faultyServers.filter((_, i) => i % 24 === 1))
    it(`contradicts ${own.join(' or ')} if a server ${says}`, async () =>
      expect(own).to.include.oneOf(rulesThat('contradicts', await conformed(serverWith(change), everything))));

  for (const { says, change } of correctServers.filter((_, i) => i % 12 === 1))
    it(`contradicts nothing if a server ${says}`, async () =>
      expect(rulesThat('contradicts', await conformed(serverWith(change), everything))).to.deep.equal([]));

  for (const { id, path, rules: own } of operations) {
    const effects = Object.keys(own).filter(rule => rules[rule]?.effect === true);
    if (effects.length > 0)
      it(`does not believe ${id} if it has no effect, whether or not the REST API shows it`, async () => {
        const server = serverWith(doesNothing(at(path.slice(1).replace('/{pageId}', ''))));
        for (const target of [server, withoutRest(server)]) {
          const found = await conformed(target, scenariosFor(effects), effects, { isLossAccepted: true });
          expect(rulesThat('conforms', found).filter(rule => effects.includes(rule))).to.deep.equal([]);
        }
      });
  }
});
