// The consumer tests of contracts/consumers, run as by `npm run update -- pacts`: they write the committed pacts, byte for byte;
// these cover every operation and every documented status, and pass whatever the readings.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Verdict } from '../../harness/verify/contract/verdict.js';
import { readPact } from '../../harness/verify/pacts/read-pact.js';
import { checkRequest } from '../../server/derive/document/document-check.js';
import { documentedStatuses } from '../../server/derive/document/documented-statuses.js';
import { operations, rules } from '../../server/operations/catalog/catalog.js';
import { verifying } from '../harness/verify/running.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { run } from '../support/processes/command-line.js';

const pacts = fileURLToPath(new URL('../../contracts/pacts/', import.meta.url));
const script = fileURLToPath(new URL('../../contracts/write-pacts.ts', import.meta.url));

const writePacts = (folder: string) =>
  run(['--reporter', 'dot'], {
    program: script,
    runtime: [process.execPath, '--import', 'tsx'],
    env: { PACTS_DIR: folder },
  });

const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]));

describe('the consumer tests', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
  });
  after(() => place.drop());

  it('write the committed pacts, delete a contract that no longer exists, and touch nothing else', async () => {
    place.write(
      'gone-wiki-extension.json',
      '{"consumer":{"name":"gone"},"provider":{"name":"wiki-extension"},"interactions":[]}',
    );
    place.write('README.md', 'kept');
    const expected = { ...filesIn(pacts), 'README.md': 'kept' };
    const { code, stdout, stderr } = await writePacts(place.path);
    expect(code, stdout + stderr).to.equal(0);
    expect(filesIn(place.path)).to.deep.equal(expected);
  });
});

describe('the committed pacts', () => {
  const contracts = Object.entries(filesIn(pacts)).map(([name, text]) => {
    const contract = readPact(text, name);
    return 'problems' in contract ? expect.fail(contract.problems.join()) : contract;
  });
  const asked = contracts.flatMap(({ provider, interactions }) =>
    interactions.map(({ example, expected }) => ({ provider, expected, id: checkRequest(example).operation?.id })),
  );
  let verdicts: readonly Verdict[];
  before(async () => {
    ({ verdicts } = await verifying(contracts, { isSensitive: true }));
  });

  it('cover every operation, each at the provider of its family', () => {
    const covered = new Set(asked.map(({ provider, id }) => `${id} of ${provider}`));
    const due = operations.map(({ id, family }) => `${id} of ${family === 'wiki' ? 'wiki-extension' : 'push-pull'}`);
    expect([...covered].sort()).to.deep.equal(due.sort());
  });

  it('cover every documented status, and assert no other', () => {
    for (const operation of operations) {
      const exact = asked.filter(({ id, expected }) => id === operation.id && expected.isExactStatus);
      const statuses = new Set(exact.map(({ expected }) => expected.status));
      expect([...statuses].sort(), operation.id).to.deep.equal([...documentedStatuses(operation).keys()].sort());
    }
  });

  it("pass for Pact's verifier, those of our clients under every other reading and under every two of them", () => {
    for (const { contract, interaction, outcome, trials, pairs = [] } of verdicts) {
      expect(outcome, interaction.description).to.equal('passed');
      if (contract.consumer === 'examples') continue; // they show the default readings
      const broken = [...trials, ...pairs].filter(({ passes }) => !passes);
      expect(broken, interaction.description).to.deep.equal([]);
    }
    expect(verdicts.filter(({ trials }) => trials.length > 0)).to.have.length(verdicts.length - 1); // all but one touch a gap
  });

  it('exercise every rule except those that no contract of ours needs', () => {
    const seen = new Set(verdicts.flatMap(verdict => verdict.rules));
    const unseen = Object.keys(rules).filter(rule => !seen.has(rule) && !rule.startsWith('address.')); // not named beside others
    expect(unseen).to.deep.equal(['expand.list', 'expand.nested', 'permissions.heading-method']);
  });

  it('send and assert only what the document has, except for expected refusals', () => {
    const against = verdicts.flatMap(({ interaction, findings }) =>
      findings.map(({ rule, gap }) => `${interaction.description}: ${rule ?? gap}`),
    );
    expect(against).to.deep.equal(
      ['pull', 'push'].flatMap(what => [
        `a ${what} without filters and dashboards: ppf.needs-item`,
        `a ${what} without users and groups: ppf.needs-recipient`,
      ]),
    );
  });
});
