// How our consumers write contracts: anything the document does not have is reported before Pact writes it.
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { contract, type Interaction } from '../../contracts/consumers/interaction.js';
import type { Client } from '../../server/library/client/calls.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { failure } from '../support/worlds/failure.js';

describe('an interaction of a consumer', () => {
  const { PACTS_DIR, PACT_DO_NOT_TRACK } = process.env;
  let place: Scratch;
  before(() => {
    place = scratch();
    Object.assign(process.env, { PACTS_DIR: place.path, PACT_DO_NOT_TRACK: 'true' });
  });
  after(() => {
    for (const [name, value] of Object.entries({ PACTS_DIR, PACT_DO_NOT_TRACK }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    place.drop();
  });

  const as = { user: 'admin', password: 'admin' };
  const pushed: Interaction = {
    receiving: 'a push',
    given: [],
    as,
    asked: { method: 'POST', path: '/rest/cwx-ppf/latest/push', body: { users: ['alice'], filters: [1] } },
    status: 200,
    reply: { success: true, messages: [] },
  };
  const push = async (client: Client) => {
    await client.ppf.push({ body: { users: ['alice'], filters: [1] } });
  };
  const refused = (interaction: Interaction, ask: (client: Client) => Promise<void>) =>
    failure(contract('somebody', 'somewhere')(interaction, ask), Error);

  it('is written if the document covers it', async () => {
    await contract('somebody', 'push-pull')(pushed, push);
    expect(readdirSync(place.path)).to.deep.equal(['somebody-push-pull.json']);
  });

  it('is refused if it asserts what the document does not promise, or breaks a rule that it does not declare', async () => {
    const body = { group: 'a', users: ['b'] };
    const asked = { method: 'POST', path: '/rest/cwxapiextension/latest/groups/add-users', body };
    const { reply: _, ...silent } = pushed;
    const without = { ...silent, asked: { ...pushed.asked, body: { filters: [1] } }, status: 400 };
    const pushWithout = async (client: Client) => {
      await client.ppf.push({ body: { filters: [1] } });
    };
    const add = async (client: Client) => {
      await client.groups.addUsers({ body });
    };
    for (const [interaction, ask, says] of [
      [{ ...pushed, status: 202 }, push, 'what it does not promise'],
      [{ ...pushed, reply: { success: 'yes' } }, push, 'what it does not promise'],
      [{ ...pushed, asked, reply: {} }, add, 'what it does not promise'],
      [without, pushWithout, 'what the document has against the request'],
      [{ ...without, breaks: ['ppf.needs-item'] }, pushWithout, 'against the request'],
      [{ ...without, status: 200, breaks: ['ppf.needs-recipient'] }, pushWithout, 'the rules that give the status'],
    ] as const)
      expect((await refused(interaction, ask)).message).to.include(says);
    expect(readdirSync(place.path)).to.deep.equal(['somebody-push-pull.json']);
  });

  it('is refused if the client sends something else', async () => {
    const ask = async (client: Client) => {
      await client.ppf.pull({ body: { users: ['alice'], filters: [1] } });
    };
    expect((await refused(pushed, ask)).message).to.match(/Expected request|not received|Mismatch/i);
    expect(readdirSync(place.path)).to.deep.equal(['somebody-push-pull.json']);
  });
});
