// The ledger of a server names the evidence that is shipped. The table of tests/control has the whole of it.
import { expect } from 'chai';
import type { Ledger } from '../../../server/derive/ledger/ledger.js';
import { scratch } from '../../support/files/scratch.js';
import { send, serving } from '../../support/wire/server.js';

describe('the ledger of a server', () => {
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
