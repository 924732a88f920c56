// Scenarios played through the control API, beyond what its table covers: failed steps, captured values, changed files.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so a step writes what was captured
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { send, sendJson, serving } from '../../support/wire/server.js';

interface Run {
  readonly title: string;
  readonly passed: boolean;
  readonly steps: ReadonlyArray<{ step: number; outcome: string; gaps: object; facts: readonly object[] }>;
}

const ownStory = `title: Played here
about: For these tests.
fixture: small-team
clock: 2026-01-05T09:00:00Z
steps:
  - say: Bob is not there
    as: admin
    call: ppf.push
    body: { users: [bob, alice], filters: [10500] }
    capture: { said: /messages/0 }
    expect: { status: 200, body: { success: false, messages: { $any: array } } }
    then: { favourites: { alice: { filters: [10500] } } }
    proves: [ppf.push]
  - say: What was said of him comes back
    as: admin
    call: ppf.push
    body: { users: ["\${said}"], filters: [10500] }
    expect: { status: 200, body: { success: false, messages: [{ $contains: "\${said}" }] } }
  - say: This does not hold
    as: { user: carol, password: hush }
    call: groups.add-users
    body: { group: customers, users: [alice] }
    expect: { status: 200 }
    then: { users: { carol: { password: loud } } }
  - say: This holds again
    as: { token: admin-token }
    call: groups.add-users
    body: { group: customers, users: [alice] }
    expect: { status: 200 }
`;

describe('POST /sandboxes/{s}/play', () => {
  let files: Scratch;
  let server: Running;
  before(async () => {
    files = scratch({ 'own-story.yaml': ownStory });
    server = await serving('small-team', { scenarios: files.path });
  });
  after(async () => {
    await server.stop();
    files.drop();
  });

  let count = 0;
  const fresh = async () => {
    count += 1;
    const name = `p${count}`;
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name, ttl: 77 });
    return name;
  };
  const url = (sandbox: string, path = '/play') => `${server.url}/_fake/v1/sandboxes/${sandbox}${path}`;
  const play = (sandbox: string, body: unknown) => sendJson(url(sandbox), 'POST', body);
  const run = async (sandbox: string, body: unknown) => {
    const { status, json, text } = await play(sandbox, body);
    expect(status, text).to.equal(200);
    return json as Run;
  };
  const worldOf = async (sandbox: string) =>
    (await send(url(sandbox, '/world'))).json as {
      groups: Readonly<Record<string, string[]>>;
    };

  it('answers 200 if a step fails, and reports what and where, without secrets', async () => {
    const { passed, steps } = await run(await fresh(), { scenario: 'own-story' });
    expect(passed).to.equal(false);
    expect(steps.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'failed', 'passed']);
    const [first, , third, fourth] = steps;
    expect(third).to.deep.include({
      step: 3,
      line: 19,
      say: 'This does not hold',
      status: 401,
      request: { method: 'POST', path: '/rest/cwxapiextension/latest/groups/add-users' },
      differences: [
        { of: 'status', pointer: '', expected: 200, found: 401, says: 'is 401, not 200' },
        { of: 'world', pointer: '/users/carol/password', says: 'is not the expected value' },
      ],
    });
    expect(first?.gaps).to.include({ 'ppf-partial': 'apply-rest' });
    expect(fourth?.facts).to.deep.equal([{ type: 'group-member-added', group: 'customers', user: 'alice' }]);
    expect(JSON.stringify(steps)).to.not.match(/hush|loud|admin-token|Basic|Bearer/);
  });

  it('plays step by step, with the values captured by earlier steps', async () => {
    const sandbox = await fresh();
    const outcomes: string[] = [];
    for (const step of [1, 2, 3, 4]) {
      const { passed, steps } = await run(sandbox, { scenario: 'own-story', step });
      expect(steps.map(one => one.step)).to.deep.equal([step]);
      expect(passed).to.equal(steps[0]?.outcome === 'passed');
      outcomes.push(steps[0]?.outcome ?? '');
    }
    expect(outcomes).to.deep.equal(['passed', 'passed', 'failed', 'passed']);
    expect((await worldOf(sandbox)).groups.customers).to.deep.equal(['alice']);
  });

  it('refuses to play two at once in one sandbox, but plays in many', async () => {
    const sandboxes = await Promise.all([fresh(), fresh(), fresh()]);
    const body = { scenario: 'own-story' };
    const all = await Promise.all(sandboxes.map(name => run(name, body)));
    expect(all.map(({ steps }) => steps.map(({ outcome }) => outcome).join())).to.deep.equal(
      Array(3).fill('passed,passed,failed,passed'),
    );
    const [sandbox = ''] = sandboxes;
    const both = await Promise.all([play(sandbox, body), play(sandbox, body)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect(both.find(({ status }) => status === 409)?.json).to.include({
      title: 'A scenario is being played',
      detail: `Wait until it ends in the sandbox ${sandbox}.`,
    });
    expect((await play(sandbox, body)).status, 'and afterwards it plays').to.equal(200);
  });

  it('plays the current content of the file', async () => {
    const sandbox = await fresh();
    files.write('changing.yaml', ownStory.replace('Played here', 'One'));
    expect((await run(sandbox, { scenario: 'changing' })).title).to.equal('One');
    files.write('changing.yaml', ownStory.replace('Played here', 'Another one'));
    expect((await run(sandbox, { scenario: 'changing' })).title).to.equal('Another one');
    files.write('changing.yaml', 'title: 1');
    expect((await play(sandbox, { scenario: 'changing' })).status).to.equal(400);
    expect((await send(url(sandbox, ''))).json, 'what was there stays').to.include({ scenario: 'changing' });
  });

  it('uses the readings of the server and of the sandbox if a step is played on it as it is', async () => {
    const sandbox = await fresh();
    await sendJson(url(sandbox, '/readings'), 'PUT', { 'wiki-success': 'empty' });
    const { steps } = await run(sandbox, { scenario: 'own-story', step: 4 });
    expect(steps[0]?.gaps).to.include({ 'wiki-success': 'empty' });
  });

  it('keeps the time to live of the sandbox', async () => {
    const sandbox = await fresh();
    await run(sandbox, { scenario: 'own-story' });
    expect(server.session.sandboxes.find(sandbox)?.ttl).to.equal(77_000);
  });
});
