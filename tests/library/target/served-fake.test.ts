// A served fake as a target: shipped scenarios pass there, its sandbox is created and dropped, and unsuitable targets are
// reported.

import { createServer } from 'node:http';
import { expect } from 'chai';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { servedFake } from '../../../server/library/target/served-fake.js';
import type { Running } from '../../../server/process/start.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import { loadNamed } from '../../../server/scenario/load/load.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { Player } from '../../../server/scenario/play/player.js';
import { type Target, Unreachable } from '../../../server/scenario/play/target.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { interposed } from '../../support/other-servers/interposed.js';
import { playedBy, playedText, story } from '../../support/scenarios/played.js';
import { assembled } from '../../support/scenarios/shipped-runs.js';
import { listening, sandboxNames, send, sendJson, serving } from '../../support/wire/server.js';
import { failure as failureOf } from '../../support/worlds/failure.js';

const folders = defaultFolders(packageRoot());
const named = (name: string): Loaded => {
  const loaded = loadNamed(name, folders);
  if (isProblems(loaded)) throw new Error(`${name} does not load`);
  return loaded;
};

describe('a served fake', () => {
  let server: Running;
  const open: Target[] = [];
  before(async () => {
    server = await serving('empty-wiki', { reading: ['sidebar-duplicate=409'] });
  });
  after(() => server.stop());
  afterEach(async () => {
    for (const target of open.splice(0)) await target.close();
  });

  const targetIn = async (name: string, isKept = false, on = server): Promise<Target> => {
    const target = await servedFake(on.url, { name, isKept });
    if (target === undefined) throw new Error('it is no fake');
    open.push(target);
    return target;
  };
  const sandboxes = () => sandboxNames(server.url);

  for (const name of ['bad-day', 'template-copy'])
    it(`${name}: each step passes`, async () => {
      const loaded = named(name);
      const played = await playedBy(new Player(loaded, await targetIn('shipped')));
      expect(played.flatMap(playedText)).to.deep.equal([]);
      expect(played.map(({ outcome, unchecked }) => [outcome, unchecked])).to.deep.equal(
        loaded.steps.map(() => ['passed', []]),
      );
    });

  it('drops nothing if nothing was started', async () => {
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'theirs' });
    const target = await servedFake(server.url, { name: 'theirs', isKept: false });
    await target?.close();
    expect(await sandboxes()).to.include('theirs');
  });

  it('gets the world, the clock, the readings and the faults of a scenario it does not have', async () => {
    const world = named('small-team').origin.world;
    const faults = [{ operation: 'ppf.push', effect: { status: 503 } }] as const;
    const target = await targetIn('foreign', true);
    const origin = {
      scenario: 'nowhere',
      world,
      readings: { 'wiki-auth': 'admin' },
      clock: '2026-01-05T09:00:00Z',
      faults,
    } as const;
    const player = new Player(story([], { origin }), target, { readings: { 'unknown-user': '400' } });
    await player.begin();
    const get = async (path: string) => (await send(`${server.url}/_fake/v1/sandboxes/foreign${path}`)).json;
    expect(await get('')).to.include({ now: '2026-01-05T09:00:00Z' });
    expect(await get('/readings')).to.include({
      'wiki-auth': 'admin',
      'unknown-user': '400',
      'sidebar-duplicate': '409',
    });
    expect(await get('/faults')).to.deep.equal({ faults: faults.map(fault => ({ ...fault, matched: 0, fired: 0 })) });
    expect(await get('/world')).to.have.nested.property('users.carol.displayName', 'Carol');
    expect(player.readings, 'with what the server follows').to.include({
      'wiki-auth': 'admin',
      'unknown-user': '400',
      'sidebar-duplicate': '409',
      'unknown-group': '404',
    });
  });

  it('reports an unknown scenario that is too large to send', async () => {
    const { origin } = named('large');
    const player = new Player(story([], { origin: { ...origin, scenario: 'nowhere' } }), await targetIn('large'));
    expect((await failureOf(player.begin(), Unreachable)).message).to.contain(
      'the control API responds with 400: The scenario cannot be loaded: Unknown scenario "nowhere"',
    );
  });

  it('returns the entry of each request, and none for unknown ones', async () => {
    const target = await targetIn('entries');
    const played = await playedBy(
      new Player(
        story([
          { say: 'a', call: 'spaces.is-unique', query: { spaceKey: 'x', spaceName: 'y' } },
          { say: 'b', request: { method: 'GET', path: '/_fake/health' } },
          { say: 'c', request: { method: 'GET', path: '/nothing' } },
        ]),
        target,
      ),
    );
    expect(played.map(({ insight }) => insight?.rules.includes('spaces.is-unique'))).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('is reported as gone if its sandbox was dropped', async () => {
    const target = await targetIn('taken');
    // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
    const player = new Player(story([{ say: 'looks', then: { groups: { customers: [] } } }]), target);
    await player.begin();
    await send(`${server.url}/_fake/v1/sandboxes/taken`, { method: 'DELETE' });
    expect((await failureOf(player.play(0), Unreachable)).message).to.equal(
      'the sandbox taken was dropped while the scenario was being played',
    );
    expect(await sandboxes(), 'and nothing creates it').to.not.include('taken');
  });

  it('reads the world once, and then only the parts that a step needs', async () => {
    const target = await targetIn('counted');
    const asked: string[] = [];
    const { url, stop } = await interposed(server.url, ({ method, url }) => {
      asked.push(`${method} ${url}`);
      return false;
    });
    await target.close();
    const through = await targetIn('counted', false, { ...server, url });
    await playedBy(new Player(named('partial-failure'), through));
    await through.close();
    await stop();
    const operations = asked.filter(line => !line.includes('/_fake/')).length;
    const worlds = asked.filter(line => line.startsWith('GET /_fake/v1/sandboxes/counted/world'));
    expect(operations).to.be.greaterThan(1);
    expect(worlds.shift(), 'to begin with').to.match(/world$/);
    expect(worlds).to.not.deep.equal([]);
    for (const line of worlds) expect(line, 'only the part that a step needs').to.contain('/world?part=%2F');
  });
});

describe('a target that is not a served fake', () => {
  const wanted = { name: 'play', isKept: false };
  const stops: Array<() => unknown> = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  const serverResponse = async (status: number, body: string) => {
    const server = createServer((_, response) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body),
    );
    stops.push(() => server.close());
    return listening(server);
  };
  it('can be another server, whatever it answers', async () => {
    const others = [
      [404, 'Not Found'],
      [200, '<html>'],
      [200, '{"status":"ok"}'],
      [200, 'null'],
      [500, '{"status":"ok","version":"1"}'],
    ] as const;
    for (const [status, body] of others)
      expect(await servedFake(await serverResponse(status, body), wanted), body).to.equal(undefined);
  });
});

describe('a sandbox in this process', () => {
  it('is created even while requests recreate it', async () => {
    const fake = await assembled();
    const target = inProcess(fake, 'play');
    const player = new Player(named('unlicensed'), target);
    const others = Array.from({ length: 20 }, () => target.send({ method: 'POST', path: '/x', headers: {} }));
    await Promise.all([player.begin(), ...others]);
    expect(fake.session.sandboxes.find('play')?.state.origin.scenario).to.equal('unlicensed');
    fake.end();
  });
});
