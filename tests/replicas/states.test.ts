// Provider states and scenarios that begin on one server and continue on another.
import { expect } from 'chai';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { grounds } from '../support/redis/replicas.js';
import { sendJson } from '../support/wire/server.js';

interface World {
  readonly users: Readonly<Record<string, object>>;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly licence: { readonly ppf: string };
}

const story = `
title: Two steps
fixture: small-team
steps:
  - say: Alice comes
    as: admin
    call: groups.add-users
    body: { group: customers, users: [alice] }
    expect: { status: 200 }
    then: { groups: { customers: [alice] } }
  - say: Carol comes
    as: admin
    call: groups.add-users
    body: { group: customers, users: [carol] }
    expect: { status: 200 }
    then: { groups: { customers: [alice, carol] } }
`;

for (const ground of grounds()) {
  describe(`states and scenarios at ${ground.name}`, function () {
    this.timeout(30_000);
    let files: Scratch;
    before(async () => {
      files = scratch({ 'two-steps.yaml': story });
      await ground.begin({ scenarios: files.path });
    });
    after(async () => {
      await ground.end();
      files.drop();
    });
    const setUp = async (sandbox: string, state: string, params?: object) => {
      const { url } = await ground.next();
      const body = { action: 'setup', state, ...(params && { params }) };
      const response = await sendJson(`${url}/~${sandbox}/_fake/v1/provider-states`, 'POST', body);
      expect(response.status, response.text).to.equal(200);
    };
    const world = async (sandbox: string) => (await ground.next()).read<World>(`/sandboxes/${sandbox}/world`);

    it('add up until a request arrives, and begin a new world after it', async () => {
      await setUp('pact', 'unlicensed');
      await setUp('pact', 'user exists', { name: 'bob' });
      await setUp('pact', 'group exists', { name: 'testers', members: ['bob'] });
      const first = await world('pact');
      expect(first.licence.ppf).to.equal('expired');
      expect(first.groups.testers).to.deep.equal(['bob']);
      expect((await (await ground.next()).add('pact', 'bob')).status).to.equal(200);
      await setUp('pact', 'user exists', { name: 'eve' });
      const second = await world('pact');
      expect(Object.keys(second.users)).to.include('eve').and.not.include('bob');
      expect(second.licence.ppf).to.equal('valid');
      expect(await (await ground.next()).read('/sandboxes/pact/journal')).to.deep.equal({ entries: [], evicted: 0 });
    });

    it('play whole on one server, and step by step on several', async () => {
      await (await ground.next()).control('PUT', '/sandboxes/played', {});
      const whole = await (await ground.next()).control('POST', '/sandboxes/played/play', { scenario: 'two-steps' });
      expect(whole.json, whole.text).to.include({ passed: true });
      expect((await world('played')).groups.customers).to.deep.equal(['alice', 'carol']);
      for (const step of [1, 2]) {
        const next = await ground.next();
        const { json, text } = await next.control('POST', '/sandboxes/played/play', { scenario: 'two-steps', step });
        expect(json, text).to.include({ passed: true });
      }
      expect((await world('played')).groups.customers).to.deep.equal(['alice', 'carol']);
      expect(await (await ground.next()).read('/sandboxes/played')).to.include({ scenario: 'two-steps' });
    });
  });
}
