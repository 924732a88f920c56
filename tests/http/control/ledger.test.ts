// `GET /_fake/v1/ledger`: the rules the fake follows, and the shipped scenarios that prove them.
import { expect } from 'chai';
import type { Ledger } from '../../../server/derive/ledger/ledger.js';
import { rules } from '../../../server/operations/catalog/catalog.js';
import { scratch } from '../../support/files/scratch.js';
import { send, serving } from '../../support/wire/server.js';

describe('the ledger of a server', () => {
  it('names the evidence for each rule and reading, and the same each time', async () => {
    const { url, stop } = await serving('empty-wiki');
    const ask = async () => (await send(`${new URL(url).origin}/_fake/v1/ledger`)).json as Ledger;
    const ledger = await ask();
    expect(ledger.rules.map(({ id }) => id)).to.deep.equal(Object.keys(rules));
    for (const { id, evidence } of ledger.rules) expect(evidence?.[0], id).to.match(/^rules\//);
    const [first] = ledger.gaps.find(({ id }) => id === 'unknown-user')?.readings ?? [];
    expect(first?.evidence).to.include('gaps/unknown-user');
    expect(await ask()).to.deep.equal(ledger);
    const { sandboxes } = (await send(`${new URL(url).origin}/_fake/v1/sandboxes`)).json as { sandboxes: unknown[] };
    expect(sandboxes, 'it is not played in a sandbox of the server').to.have.length(1);
    await stop();
  });

  it("does not count the users' own scenarios, whatever they claim to prove", async () => {
    const own = `title: My own\nfixture: small-team\nsteps:\n  - { say: Pushes, as: admin, call: ppf.push, body: { users: [alice], filters: [10500] }, proves: [ppf.push] }\n`;
    const folder = scratch({ 'mine.yaml': own, 'rules/ppf.push.yaml': own });
    const { url, stop } = await serving('mine', { scenarios: folder.path });
    const { rules: listed } = (await send(`${url}/_fake/v1/ledger`)).json as Ledger;
    const { evidence } = listed.find(({ id }) => id === 'ppf.push') ?? {};
    expect(evidence?.[0]).to.equal('rules/ppf.push');
    expect(evidence).not.to.include('mine');
    await stop();
    folder.drop();
  });
});
