// The consumer tests of contracts/consumers, run as by `npm run update -- pacts`: they write the committed pacts, byte for byte;
// these cover every operation and every documented status; and a real verifier accepts the fake.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { NativeVerifier } from '../../harness/verify/native/verifier.js';
import { checkRequest } from '../../server/derive/document/document-check.js';
import { documentedStatuses } from '../../server/derive/document/documented-statuses.js';
import { startFake } from '../../server/index.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { run } from '../support/processes/command-line.js';
import { pacts, pactsIn, requestOf } from './recorded.js';

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
  const files = pactsIn();
  const asked = files.flatMap(({ provider, interactions }) =>
    interactions.map(interaction => ({
      provider,
      interaction,
      id: checkRequest(requestOf(interaction)).operation?.id,
    })),
  );

  it('cover every operation, each at the provider of its family', () => {
    const covered = new Set(asked.map(({ provider, id }) => `${id} of ${provider}`));
    const due = operations.map(({ id, family }) => `${id} of ${family === 'wiki' ? 'wiki-extension' : 'push-pull'}`);
    expect([...covered].sort()).to.deep.equal(due.sort());
  });

  it('cover every documented status, and assert no other', () => {
    for (const operation of operations) {
      const asserted = asked
        .filter(
          ({ id, interaction }) => id === operation.id && interaction.response.matchingRules?.status === undefined,
        )
        .map(({ interaction }) => interaction.response.status);
      expect([...new Set(asserted)].sort(), operation.id).to.deep.equal(
        [...documentedStatuses(operation).keys()].sort(),
      );
    }
  });

  it('are satisfied by the fake, for an independent verifier', async () => {
    const fake = await startFake();
    try {
      const stateUrl = `${fake.url}/_fake/v1/provider-states`;
      const paths = files.map(({ file }) => join(pacts, file));
      const results = await new NativeVerifier().run({ files: paths, url: fake.url, stateUrl });
      const descriptions = asked.map(({ interaction }) => interaction.description);
      expect([...results.keys()].sort()).to.deep.equal(descriptions.sort());
      expect([...results].filter(([, { passed }]) => !passed)).to.deep.equal([]);
    } finally {
      await fake.stop();
    }
  });
});
