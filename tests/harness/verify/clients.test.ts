// The verdicts are true: two versions of one client, their real contracts verified under every reading, and the clients
// themselves run against a fake with that reading.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Verdict, Verification } from '../../../harness/verify/contract/verdict.js';
import { readPact } from '../../../harness/verify/pacts/read-pact.js';
import { sensitivities } from '../../../harness/verify/results/contract-sensitivity.js';
import { startFake } from '../../../server/library/fake.js';
import { readingNames } from '../../../server/operations/gaps/gaps.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { run } from '../../support/processes/command-line.js';
import type { Adding } from './clients/adding.js';
import { addUsers as addAndParse } from './clients/parsing-client.js';
import { addUsers as addOnly } from './clients/status-client.js';
import { shortly, verifying } from './running.js';

const clients: Readonly<Record<string, (wiki: string, adding: Adding) => Promise<unknown>>> = {
  'parsing-client': addAndParse,
  'status-client': addOnly,
};

describe('two versions of a client, one that parses the response and one that does not', () => {
  let folder: Scratch;
  let verification: Verification;

  before(async () => {
    folder = scratch();
    const { code, stdout, stderr } = await run(['tests/harness/verify/clients/*.pact.ts'], {
      program: join(packageFolder, 'node_modules/mocha/bin/mocha.js'),
      cwd: packageFolder,
      env: { PACTS_DIR: folder.path, PACT_DO_NOT_TRACK: 'true' },
    });
    expect(code, stdout + stderr).to.equal(0);
    const contracts = Object.keys(clients).map(name => {
      const file = join(folder.path, `${name}-wiki-extension.json`);
      const contract = readPact(readFileSync(file, 'utf8'), file);
      if ('problems' in contract) throw new Error(contract.problems.join('\n'));
      return contract;
    });
    verification = await verifying(contracts, { isSensitive: true });
  });
  after(() => folder.drop());

  function verdictOf(client: string): Verdict {
    const found = verification.verdicts.filter(({ contract }) => contract.consumer === client);
    expect(found).to.have.length(1);
    return found[0] as Verdict; // the only one
  }

  it('the first passes, and rests on the body that the document does not promise', () => {
    const { outcome, classification, trials } = verdictOf('parsing-client');
    expect({ outcome, classification: shortly(classification) }).to.deep.equal({
      outcome: 'passed',
      classification: 'rests on wiki-success=object',
    });
    expect(trials.map(({ gap, reading, passes }) => `${gap}=${reading} ${passes ? 'passes' : 'fails'}`)).to.deep.equal([
      'wiki-success=empty fails',
      'wiki-success=no-content fails',
      'wiki-success=messages passes',
    ]);
  });

  it('the second is documented, and passes under every reading', () => {
    const { outcome, classification, trials, pairs } = verdictOf('status-client');
    expect({ outcome, classification }).to.deep.equal({ outcome: 'passed', classification: { kind: 'documented' } });
    expect(trials.map(({ reading, passes }) => [reading, passes])).to.deep.equal([
      ['empty', true],
      ['no-content', true],
      ['messages', true],
    ]);
    expect(pairs?.filter(({ passes }) => !passes)).to.deep.equal([]);
  });

  it('each get a clear conclusion', () => {
    const all = sensitivities(verification.verdicts);
    expect(all.map(({ says }) => says)).to.deep.equal([
      'parsing-client relies on wiki-success: it fails under 2 of the 4 readings. It also relies on the base path of its provider (wiki-prefix).',
      'status-client passes under all 4 readings of the gap it touches: it relies only on the base path of its provider (wiki-prefix).',
    ]);
  });

  for (const [client, addUsers] of Object.entries(clients))
    it(`${client} itself breaks exactly where the verdict says`, async () => {
      const { trials, gaps, outcome } = verdictOf(client);
      const reported = [
        ['wiki-success', gaps['wiki-success'], outcome === 'passed'],
        ...trials.map(({ gap, reading, passes }) => [gap, reading, passes]),
      ];
      const lived: unknown[] = [];
      for (const [gap, reading] of reported) {
        const fake = await startFake({ readings: { [String(gap)]: reading } });
        try {
          const works = await addUsers(fake.url, { group: 'customers', users: ['alice'] }).then(
            () => true,
            () => false,
          );
          lived.push([gap, reading, works]);
          expect((await fake.sandbox('default').world()).groups?.customers).to.deep.equal(['alice']);
        } finally {
          await fake.stop();
        }
      }
      expect(lived).to.deep.equal(reported);
      expect(new Set(reported.map(([, reading]) => reading))).to.deep.equal(new Set(readingNames('wiki-success')));
    });
});
