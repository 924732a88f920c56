// How `explain` and `journal` read: whole sentences, wrapped, with the message and the nearest path.
import { expect } from 'chai';
import { type Fake, startFake } from '../../../server/index.js';
import { begin, run } from '../../support/processes/commands.js';

describe('what people read about a request', () => {
  let fake: Fake;
  before(async () => {
    fake = await startFake();
    const send = (path: string, body: unknown) =>
      fetch(`${fake.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('admin:admin')}` },
        body: JSON.stringify(body),
      });
    await send('/rest/cwx-ppf/latest/push', { users: ['alice', 'zoe'], filters: [10500] });
    await send('/rest/cwxapiextension/latest/groups/add-user', {});
    await send('/rest/cwxapiextension/latest/groups/add-users', { group: 'customers', users: ['zoe'] });
  });
  after(() => fake.stop());
  const shown = async (...words: string[]) => (await run([...words, '--url', fake.url])).stdout;

  it('has the message of each response and the nearest path in the journal', async () => {
    const [push, nowhere, unknown] = (await shown('journal')).split('\n');
    expect(push).to.contain('Could not find user with name zoe');
    expect(nowhere).to.contain('the nearest path is /rest/cwxapiextension/latest/groups/add-users. ·');
    expect(unknown).to.contain('zoe').and.to.contain(' 404 ');
  });

  it('explains the response with its body, each rule and reading in a sentence, the changes, and what would differ', async () => {
    const text = await shown('explain', '1');
    expect(text)
      .to.contain('200 · ppf.push')
      .and.to.contain('"messages":["Could not find user with name zoe"]')
      .and.to.contain('alice gets filter 10500')
      .and.to.match(/Rules:\n {2}[a-z]+\.\S+\n {6}[A-Z].*\.\n {6}Document: /)
      .and.to.match(/ppf-partial=apply-rest\n/)
      .and.to.contain('all-or-nothing: nothing is changed. The response would ')
      .and.to.not.contain('{"rule"')
      .and.to.not.contain('…');
  });

  for (const columns of [40, 80])
    it(`wraps explanations in a terminal of ${columns} columns, at words`, async () => {
      const { stdout, ended } = begin(['explain', '1', '--url', fake.url], { columns });
      await ended;
      expect(stdout.text.split('\n').filter(line => line.length > columns)).to.deep.equal([]);
      const words = (text: string) => text.replace(/\s+/g, '');
      expect(words(stdout.text)).to.equal(words(await shown('explain', '1')));
    });
});
