// A sandbox in a program: its start, world, readings and callers. On a fake with a socket and on one without.
// The table of tests/control covers each method, with the errors of invalid input.
import { expect } from 'chai';
import { createFake, FakeError, startFake } from '../../../server/index.js';
import { failure } from '../../support/worlds/failure.js';
import { useFake } from '../../support/worlds/use-fake.js';

const pushing = { users: ['alice'], filters: [10500] };
const joining = { group: 'customers', users: ['alice'] };

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`a sandbox of ${kind}`, () => {
    const fake = useFake(make);
    /** A request through the fake's own transport, socket or not. */
    const ask = (url: string, init?: RequestInit) => (kind === 'startFake' ? fetch(url, init) : fake.fetch(url, init));

    describe('by its name', () => {
      it('has a URL and a header that lead to it', async () => {
        const sandbox = fake.sandbox('job-7');
        expect(sandbox.name).to.equal('job-7');
        expect(sandbox.url).to.equal(`${fake.url}/~job-7`);
        expect(sandbox.headers).to.deep.equal({ 'X-Fake-Sandbox': 'job-7' });
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(joining) };
        await ask(`${sandbox.url}/rest/cwxapiextension/latest/groups/add-users`, init);
        expect((await sandbox.world()).groups.customers).to.deep.equal(['alice']);
        const headers = { ...init.headers, ...sandbox.headers };
        const body = JSON.stringify({ ...joining, users: ['carol'] });
        await ask(`${fake.url}/rest/cwxapiextension/latest/groups/add-users`, { ...init, headers, body });
        expect((await sandbox.world()).groups.customers).to.deep.equal(['alice', 'carol']);
      });

      it('is a new one each time without a name', async () => {
        const names = Array.from({ length: 100 }, () => fake.sandbox().name);
        expect(new Set(names).size).to.equal(100);
        for (const name of names) expect(name).to.match(/^[A-Za-z0-9._-]{1,64}$/);
      });
    });

    describe('from its start', () => {
      it('starts from a scenario, readings and a clock of its own, at once', async () => {
        const clock = '2026-01-05T09:00:00Z';
        const readings = { 'unknown-user': '400' } as const;
        const { url } = fake.sandbox('own', { scenario: 'unlicensed', readings, clock });
        const described = (await (await ask(`${fake.url}/_fake/v1/sandboxes/own`)).json()) as Record<string, unknown>;
        expect(described).to.deep.include({ name: 'own', scenario: 'unlicensed', now: clock });
        expect(described.readings).to.include(readings);
        const headers = { Authorization: 'Bearer admin-token' };
        const response = await ask(`${url}/rest/cwx-ppf/latest/push`, { method: 'POST', headers });
        expect(response.headers.get('x-fake-rules')).to.equal('ppf.licensed-only');
      });

      it('starts there again after it was dropped', async () => {
        const sandbox = fake.sandbox('back', { scenario: 'unlicensed' });
        await sandbox.patch({ licence: { ppf: 'none' } });
        await sandbox.drop();
        expect((await sandbox.world()).licence.ppf).to.equal('expired');
      });
    });

    describe('its world', () => {
      it('keeps no reference to the objects a program passes', async () => {
        const sandbox = fake.sandbox();
        const sidebar = [{ label: 'a', url: '/a' }];
        const effect = { status: 503 };
        await sandbox.patch({ spaces: { ds: { sidebar } }, groups: { customers: undefined } } as never);
        await sandbox.faults.set([{ operation: 'ppf.push', effect }]);
        sidebar[0] = { label: 'b', url: '/b' };
        effect.status = 500;
        expect((await sandbox.world()).spaces.ds?.sidebar).to.deep.equal([{ label: 'a', url: '/a' }]);
        expect(await sandbox.faults.list()).to.deep.equal([
          { operation: 'ppf.push', effect: { status: 503 }, matched: 0, fired: 0 },
        ]);
      });
    });

    describe('its clients', () => {
      it('call as users of its world by name, whatever their passwords', async () => {
        const sandbox = fake.sandbox();
        await sandbox.patch({ users: { admin: { password: 'new: ü' }, dora: { admin: true, password: '' } } });
        for (const user of ['admin', 'dora'])
          expect((await sandbox.client(user).ppf.push({ body: pushing })).status, user).to.equal(200);
        expect(await sandbox.client('alice').ppf.push({ body: pushing })).to.include({ status: 403 });
        expect((await sandbox.journal()).map(({ caller }) => caller)).to.deep.equal(['admin', 'dora', 'alice']);
      });

      it('replace their own headers by those of a call', async () => {
        const headers = { authorization: 'Bearer admin-token', 'x-fake-sandbox': 'elsewhere' };
        const response = await fake.sandbox().client('alice').ppf.push({ body: pushing, headers });
        expect(response).to.include({ status: 200 });
        expect(response.headers).to.include({ 'x-fake-sandbox': 'elsewhere' });
      });

      it('cannot call as a user that the world does not have', async () => {
        const error = await failure(fake.sandbox().client('alise').ppf.push({ body: pushing }), FakeError);
        expect(error.message).to.contain('Unknown user "alise" (did you mean "alice"?)');
      });
    });
  });
}

describe('sandboxes that must be created explicitly', () => {
  it('are created by the program that names them, and not by requests', async () => {
    const fake = await createFake({ createOnUse: false });
    const path = '/rest/cwx-ppf/latest/push';
    const ask = async (name: string) =>
      (await fake.fetch(path, { method: 'POST', headers: { 'X-Fake-Sandbox': name } })).status;
    expect(await ask('a')).to.equal(404);
    fake.sandbox('a');
    expect(await ask('a')).to.equal(403);
    await fake.stop();
  });
});
