// `GET /_fake/v1/ledger`: what the fake keeps to, and which of its scenarios have witnessed it.
import { expect } from 'chai';
import type { Ledger } from '../../server/derive/ledger.js';
import { rules } from '../../server/operations/catalog.js';
import { send, serving } from '../support/server.js';

describe('the ledger of a server', function () {
  this.timeout(60_000);

  it('names the witnesses of each rule and reading, and the same when it is asked again', async () => {
    const { url, stop } = await serving('empty-wiki');
    const ask = async () => (await send(`${new URL(url).origin}/_fake/v1/ledger`)).json as Ledger;
    const told = await ask();
    expect(told.rules.map(({ id }) => id)).to.deep.equal(Object.keys(rules));
    for (const { id, witnesses } of told.rules) expect(witnesses?.[0]).to.equal(`rules/${id}`);
    const [first] = told.gaps.find(({ id }) => id === 'unknown-user')?.readings ?? [];
    expect(first?.witnesses).to.include('gaps/unknown-user');
    expect(await ask()).to.deep.equal(told);
    const { sandboxes } = (await send(`${new URL(url).origin}/_fake/v1/sandboxes`)).json as { sandboxes: unknown[] };
    expect(sandboxes, 'it is not played in a sandbox of the server').to.have.length(1);
    await stop();
  });
});
