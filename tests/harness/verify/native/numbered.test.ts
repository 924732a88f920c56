// Pact files in which each interaction is named by a number, so that two equal ones stay distinct.
import { expect } from 'chai';
import { numberAll, numberedFiles } from '../../../../harness/verify/native/numbered.js';
import { contractOf, pactFile, pushes, replies } from '../running.js';

describe('numbered pact files', () => {
  const twice = contractOf([
    pushes('same', {}, replies(200)),
    pushes('same', {}, replies(400), { pending: true, key: 'k', comments: { text: ['x'] } }),
  ]);
  const ruby = pactFile('v1-ruby-wiki.json');

  it('number the interactions of all contracts in a row', () => {
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
    for (const { interactions } of numberedFiles(numberAll([twice, ruby])))
      for (const one of interactions as ReadonlyArray<Record<string, unknown>>) {
        expect(one.providerStates).to.deep.equal([{ name: one.description }]);
        expect(one.providerState).to.equal(one.description);
        expect(one).to.not.have.property('provider_state');
      }
  });

  it('leave everything else as written, except that no failure is allowed to pass', () => {
    const [file] = numberedFiles(numberAll([twice]));
    const { interactions, ...rest } = file ?? {};
    const { interactions: _, ...document } = twice.document;
    expect(rest).to.deep.equal(document);
    const [, second] = interactions as ReadonlyArray<Record<string, unknown>>;
    const written = twice.interactions[1]?.written ?? {};
    expect(second?.request).to.deep.equal(written.request);
    expect(second?.response).to.deep.equal(written.response);
    expect([second?.key, second?.comments, second?.type]).to.deep.equal([written.key, written.comments, written.type]);
    expect(second).to.not.have.property('pending');
  });

  it('contain only the requested interactions, and the contracts stay unchanged', () => {
    const before = JSON.stringify([twice, ruby]);
    const files = numberedFiles(numberAll([twice, ruby]).filter(({ number }) => number === 3));
    expect(files.map(({ provider, interactions }) => [provider, (interactions as unknown[]).length])).to.deep.equal([
      [{ name: 'wiki-extension' }, 1],
    ]);
    expect(JSON.stringify([twice, ruby])).to.equal(before);
  });
});
