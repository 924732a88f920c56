// Interactions for the verifier, each named by a number, so that two equal ones stay distinct.
import { expect } from 'chai';
import { numberAll, withNumber } from '../../../../harness/verify/native/numbered-interactions.js';
import { contractOf, pactFile, pushes, replies } from '../running.js';

describe('numbered interactions', () => {
  const twice = contractOf([
    pushes('same', {}, replies(200)),
    pushes('same', {}, replies(400), { pending: true, key: 'k', comments: { text: ['x'] } }),
  ]);
  const ruby = pactFile('v1-ruby-wiki.json');

  it('are numbered over all contracts in a row', () => {
    expect(numberAll([twice, ruby, twice]).map(({ number, contract }) => [number, contract === ruby])).to.deep.equal([
      [0, false],
      [1, false],
      [2, true],
      [3, true],
      [4, true],
      [5, false],
      [6, false],
    ]);
    expect(numberAll([])).to.deep.equal([]);
  });

  it('use the number as description and as the only state, in the spellings of all versions', () => {
    for (const { description, written } of numberAll([twice, ruby]).map(withNumber)) {
      expect(written.providerStates).to.deep.equal([{ name: description }]);
      expect(written.providerState).to.equal(description);
      expect(written).to.not.have.property('provider_state');
    }
  });

  it('leave everything else as written, except that no failure is allowed to pass', () => {
    const before = JSON.stringify(twice);
    const [, second] = numberAll([twice]).map(withNumber);
    const written = twice.interactions[1]?.written ?? {};
    const now = second?.written ?? {};
    expect([now.request, now.response]).to.deep.equal([written.request, written.response]);
    expect([now.key, now.comments, now.type]).to.deep.equal([written.key, written.comments, written.type]);
    expect(now).to.not.have.property('pending');
    expect(JSON.stringify(twice)).to.equal(before);
  });
});
