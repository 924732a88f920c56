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

  it('is refused if it asserts a status that no rule gives', async () => {
    const { message } = await refused({ ...pushed, status: 202 }, push);
    expect(message).to.include('what it does not promise').and.to.include('to deeply equal []');
  });

  it('is refused if it asserts a body of another shape', async () => {
    expect((await refused({ ...pushed, reply: { success: 'yes' } }, push)).message).to.include(
      'what it does not promise',
    );
  });

  it('is refused if it asserts a body that the document does not show', async () => {
    const body = { group: 'a', users: ['b'] };
    const asked = { method: 'POST', path: '/rest/cwxapiextension/latest/groups/add-users', body };
    const { message } = await refused({ ...pushed, asked, status: 200, reply: {} }, async client => {
      await client.groups.addUsers({ body });
    });
    expect(message).to.include('what it does not promise');
  });

  it('is refused if the request breaks a rule it does not declare', async () => {
    const body = { filters: [1] };
    const without: Interaction = { receiving: 'a push', given: [], as, asked: { ...pushed.asked, body }, status: 400 };
    const ask = async (client: Client) => {
      await client.ppf.push({ body });
    };
    expect((await refused(without, ask)).message).to.include('what the document has against the request');
    expect((await refused({ ...without, breaks: ['ppf.needs-item'] }, ask)).message).to.include('against the request');
    const done: Interaction = { ...without, status: 200, breaks: ['ppf.needs-recipient'] };
    expect((await refused(done, ask)).message).to.include('the rules that give the status');
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
