// File names that no system mistakes for each other or for something special.
import { expect } from 'chai';
import fc from 'fast-check';
import { fileOf, fileOfPart, partOf, sandboxOf } from '../../../server/store/file/file-names.js';

describe('the names of files', () => {
  const cases: Readonly<Record<string, string>> = {
    default: 'default.jsonl',
    'job-1_a.b': 'job-1_a.b.jsonl',
    Job: '%4aob.jsonl',
    '': '.jsonl',
    '.': '%2e.jsonl',
    '..': '%2e..jsonl',
    '.hidden': '%2ehidden.jsonl',
    '-x': '%2dx.jsonl',
    con: '%63on.jsonl',
    CON: '%43%4f%4e.jsonl',
    'nul.txt': '%6eul.txt.jsonl',
    com1: '%63om1.jsonl',
    console: 'console.jsonl',
    'a/b\\c:d': 'a%2fb%5cc%3ad.jsonl',
    '%41': '%2541.jsonl',
    é: '%c3%a9.jsonl',
  };
  for (const [sandbox, file] of Object.entries(cases)) {
    it(`of ${JSON.stringify(sandbox)} is ${file}`, () => {
      expect(fileOf(sandbox)).to.equal(file);
      expect(sandboxOf(file)).to.equal(sandbox);
    });
  }

  it('are safe everywhere, differ even without regard to case, and can be decoded', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
      fc.constantFrom('CON', 'con', 'Aux.x', 'lpt9', '..', '-'),
    );
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [a, b] = [fileOf(one), fileOf(other)];
        expect(a).to.match(/^(?:[a-z0-9_%][a-z0-9._%-]*)?\.jsonl$/);
        expect(a).not.to.match(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i);
        expect(sandboxOf(a ?? '')).to.equal(one);
        expect(a?.toLowerCase() === b?.toLowerCase()).to.equal(one === other);
      }),
    );
  });

  it('are missing if none is possible', () => {
    expect(fileOf('x'.repeat(245))).to.have.length(251);
    expect(fileOf('x'.repeat(246))).to.equal(undefined);
    expect(fileOf('A'.repeat(82))).to.equal(undefined);
    expect(fileOf('\ud800')).to.equal(undefined);
  });

  it('are recognized only as a store writes them', () => {
    for (const file of [
      'a',
      'a.json',
      'A.jsonl',
      '%61.jsonl',
      '%4Aob.jsonl',
      '%.jsonl',
      '%ff.jsonl',
      'a.jsonl.new',
      'a b.jsonl',
    ])
      expect(sandboxOf(file)).to.equal(undefined);
  });

  it('of parts can be decoded too', () => {
    expect(fileOfPart('con')).to.equal('part-con.txt');
    expect(partOf('part-con.txt')).to.equal('con');
    for (const file of ['con.txt', 'part-.txt', 'part-A.txt', 'part-a', `part-${'a'.repeat(81)}.txt`])
      expect(partOf(file)).to.equal(undefined);
  });
});
