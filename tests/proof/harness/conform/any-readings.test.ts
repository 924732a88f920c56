// A correct server contradicts nothing and is restored, whatever its readings and oddities. `CONFORM_RUNS` sets how many are tried.
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Change } from '../../../../harness/conform/faults/server-fault.js';
import { formOf } from '../../../../server/domain/form/form.js';
import { oddServers } from '../../../harness/faulty-servers/list.js';
import { conformed, rulesThat, scenariosFor, serverWith } from '../../../support/other-servers/conforming.js';
import { anyReadings, withoutRest } from '../../../support/other-servers/outside.js';

const numRuns = Number(process.env.CONFORM_RUNS ?? 5);

/** Each changes what the one before has made of a response. */
const together = (changes: readonly Change[]): Change => ({
  request: asked => Object.assign({}, ...changes.map(({ request }) => request?.(asked))),
  response: (right, asked) => {
    let response = right;
    for (const change of changes) {
      const { json, ...parts } = change.response?.(response, asked) ?? {};
      response = { ...response, ...parts, ...(json !== undefined && { text: JSON.stringify(json) }) };
    }
    return response === right ? {} : response;
  },
  world: (after, before, asked) => changes.reduce((so, { world }) => world?.(so, before, asked) ?? so, after),
});

describe('conform on a correct server', function () {
  this.timeout(60_000 + numRuns * 15_000);
  const everything = scenariosFor();

  it('contradicts nothing, restores everything and leaves at most four spaces, under any readings', async () => {
    await fc.assert(
      fc.asyncProperty(anyReadings, async readings => {
        const server = serverWith({}, readings);
        const { groups, favourites, pages, spaces } = formOf(server.world);
        const found = await conformed(server, everything);
        expect(rulesThat('contradicts', found)).to.deep.equal([]);
        expect(rulesThat('conforms', found).length).to.be.above(30);
        expect(found.left).to.deep.equal([]);
        const after = formOf(server.world);
        // not those of users whom a reading has created: no request removes one
        for (const [name, own] of Object.entries(favourites)) expect(after.favourites[name], name).to.deep.equal(own);
        for (const [name, members] of Object.entries(groups)) expect(after.groups[name], name).to.deep.equal(members);
        for (const [id, page] of Object.entries(pages)) expect(after.pages[id], id).to.deep.equal(page);
        expect(Object.keys(after.spaces).length - Object.keys(spaces).length).to.be.at.most(4);
      }),
      { numRuns },
    );
  });

  it('contradicts nothing if nothing can be read back, under any readings', async () => {
    await fc.assert(
      fc.asyncProperty(anyReadings, fc.boolean(), async (readings, isLossAccepted) => {
        const target = withoutRest(serverWith({}, readings));
        const found = await conformed(target, everything, undefined, { isLossAccepted });
        expect(rulesThat('contradicts', found)).to.deep.equal([]);
      }),
      { numRuns },
    );
  });

  it('contradicts nothing with any oddities that the document leaves open', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...oddServers), { minLength: 1, maxLength: 4 }), async some => {
        const found = await conformed(serverWith(together(some.map(({ change }) => change))), everything);
        expect(rulesThat('contradicts', found), some.map(({ says }) => says).join('; ')).to.deep.equal([]);
      }),
      { numRuns },
    );
  });
});
