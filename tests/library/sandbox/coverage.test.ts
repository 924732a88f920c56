// Coverage: what requests met, counted over all sandboxes of a process, since its start or since a mark.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createFake, type Fake } from '../../../server/index.js';
import { scratch } from '../../support/files/scratch.js';

describe('the coverage', () => {
  let fake: Fake;
  beforeEach(async () => {
    fake = await createFake();
  });
  afterEach(() => fake.stop());

  const joining = (users: string[], headers: Record<string, string> = {}): [path: string, init: RequestInit] => [
    '/rest/cwxapiextension/latest/groups/add-users',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ group: 'customers', users }),
    },
  ];
  const add = (name: string, ...who: Parameters<typeof joining>) => fake.sandbox(name).fetch(...joining(...who));

  it('counts operations, statuses, rules, refusals and the deciding readings, of dropped sandboxes too', async () => {
    await add('one', ['alice']);
    await add('two', ['nobody']);
    await fake.sandbox('two').drop();
    await fake.fetch('/rest/nowhere');
    const { requests, operations, rules, refusals, gaps } = await fake.coverage();
    expect(requests).to.equal(3);
    expect(operations).to.deep.equal({
      'groups.add-users': { requests: 2, injected: 0, statuses: { 200: 1, 404: 1 } },
      none: { requests: 1, injected: 0, statuses: { 404: 1 } },
    });
    expect(rules['groups.add-users']).to.equal(1);
    expect(refusals).to.deep.equal({ 'unknown-user': 1, 'bad-address': 1 });
    expect(gaps['unknown-user']).to.deep.equal({ 404: { requests: 1, pinned: 0 } });
    expect(gaps['wiki-success']).to.deep.equal({ object: { requests: 1, pinned: 0 } });
  });

  it('reports what was chosen: by the request, the sandbox, its scenario or the program', async () => {
    const pinning = await createFake({ readings: { 'unknown-user': '404' } });
    await pinning.fetch(...joining(['nobody']));
    expect((await pinning.coverage()).gaps['unknown-user']).to.deep.equal({ 404: { requests: 1, pinned: 1 } });
    await pinning.stop();

    await add('one', ['nobody'], { 'x-fake-reading': 'unknown-user=400' });
    await fake.sandbox('two').readings.set({ 'unknown-user': '400' });
    await add('two', ['nobody']);
    await fake.sandbox('three', { readings: { 'unknown-user': '404' } }).describe();
    await add('three', ['nobody']);
    await add('four', ['nobody']);
    expect((await fake.coverage()).gaps['unknown-user']).to.deep.equal({
      400: { requests: 2, pinned: 2 },
      404: { requests: 2, pinned: 1 },
    });
  });

  it('counts an injected response for its operation only', async () => {
    await fake.sandbox('one').faults.set([{ operation: 'groups.add-users', effect: { status: 503 } }]);
    await add('one', ['alice']);
    const { operations, rules, gaps } = await fake.coverage();
    expect(operations).to.deep.equal({ 'groups.add-users': { requests: 1, injected: 1, statuses: {} } });
    expect({ rules, gaps }).to.deep.equal({ rules: {}, gaps: {} });
  });

  it('counts since a mark, and reports discarded marks', async () => {
    await add('one', ['alice']);
    const { mark } = await fake.coverage();
    const nothing = { requests: 0, operations: {}, rules: {}, refusals: {}, gaps: {} };
    expect(await fake.coverage(mark)).to.deep.equal({ mark, ...nothing });
    await add('one', ['nobody']);
    const since = await fake.coverage(mark);
    expect(since.mark).not.to.equal(mark);
    expect(since).to.deep.include({ requests: 1, refusals: { 'unknown-user': 1 } });
    const rules = ['address.no-context-path', 'address.extension-path', 'address.json-bodies', 'groups.body'];
    expect(Object.keys(since.rules)).to.deep.equal(rules);
    for (let i = 0; i < 64; i += 1) {
      await add('one', ['alice']);
      await fake.coverage();
    }
    const error = await fake.coverage(mark).catch(reason => reason);
    expect(error.message).to.match(/^Unknown mark:\n {2}This process does not know the mark "[0-9a-f]{8}-1"/);
  });

  it('is written into the folder of CWX_FAKE_COVERAGE, under the readings of CWX_FAKE_READING', async () => {
    const folder = scratch({});
    const surroundings = { CWX_FAKE_COVERAGE: folder.path, CWX_FAKE_READING: 'unknown-user=400, wiki-success=empty' };
    Object.assign(process.env, surroundings);
    const program = await createFake({ readings: { 'wiki-success': 'object' } });
    for (const name of Object.keys(surroundings)) delete process.env[name];
    await program.fetch(...joining(['nobody']));
    await program.stop();
    const [file = ''] = readdirSync(folder.path);
    expect(file).to.match(/^coverage-\d+-[0-9a-f]{8}\.json$/);
    const { gaps } = JSON.parse(readFileSync(join(folder.path, file), 'utf8'));
    expect(gaps['unknown-user']).to.deep.equal({ 400: { requests: 1, pinned: 0 } });
    folder.drop();
  });

  for (const [name, value, problem] of [
    ['CWX_FAKE_READING', 'unknown-user=405', 'unknown-user has no reading "405" (did you mean "404"?)'],
    ['CWX_FAKE_COVERAGE', 'no/folder', 'there is no folder "no/folder": create it with mkdir -p no/folder'],
    ['CWX_FAKE_COVERAGE', 'package.json', '"package.json" is not a folder'],
  ] as const)
    it(`reports an invalid ${name}, ${value}`, async () => {
      process.env[name] = value;
      const error = await createFake().catch(reason => reason);
      delete process.env[name];
      expect(error.message).to.contain(`${name}: ${problem}`);
    });
});
