// `cwx-fake record --har`: traffic of a browser, of Playwright, of mitmproxy and of a fake itself becomes a scenario that plays.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { ScenarioForm } from '../../../server/scenario/format/scenario-format.js';
import { useSharedScratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';
import { sendJson, useServer } from '../../support/wire/server.js';

const folder = join(import.meta.dirname, 'har');

describe('cwx-fake record --har', () => {
  const files = useSharedScratch();
  const server = useServer();
  const inFolder = (...args: string[]) => run(args, { cwd: files.path });

  /** Records a file and plays the result. */
  const recorded = async (file: string) => {
    const { code, stdout, stderr } = await inFolder('record', '--har', file);
    expect(code, stderr).to.equal(0);
    files.write('seen.yaml', stdout);
    const played = await inFolder('play', 'seen.yaml');
    expect(played.code, played.stdout).to.equal(0);
    const { steps = [], world = {} } = parse(stdout) as ScenarioForm; // as `record` writes it
    const leftOut = [...stderr.matchAll(/entry (\d+)/g)].map(([, entry]) => Number(entry));
    return { text: stdout, steps, world, leftOut };
  };

  const samples = {
    'chrome.har': {
      calls: ['permissions.edit-add', 'groups.add-users', 'groups.add-users'],
      stubs: ['/display/OPS/Home', '/rest/mywork/1.0/task'],
      leftOut: [2, 3, 9],
      names: ['users/mia', 'users/noor', 'users/tariq', 'groups/operators', 'spaces/HAR', 'pages/424242'],
      secret: 'c2VjcmV0',
    },
    'playwright.har': {
      calls: ['/jira/rest/cwx-ppf/latest/push', '/jira/rest/cwx-ppf/latest/pull', '/jira/rest/cwx-ppf/latest/push'],
      stubs: ['/jira/rest/api/2/issue/OPS-1'],
      leftOut: [5],
      names: ['users/har-user', 'users/lea', 'users/petra', 'filters/20100'],
      secret: 'do-not-tell',
    },
    'mitmproxy.har': {
      calls: [
        '/wiki/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=NEW&spaceName=New',
        '/wiki/rest/cwxapiextension/latest/groups/set-users',
      ],
      stubs: ['/wiki/rest/sync/1.0/run'],
      leftOut: [3, 5],
      names: ['users/har-user', 'users/ines', 'groups/reviewers'],
      secret: 'hunter2',
    },
  };
  for (const [file, { calls, stubs, leftOut, names, secret }] of Object.entries(samples))
    it(`turns ${file} into a scenario that plays, on a world with its names and without its secrets`, async () => {
      const found = await recorded(join(folder, file));
      const asked = found.steps.filter(step => step.stubs === undefined).map(step => step.call ?? step.request?.path);
      expect(asked.filter(path => path !== '/rest/api/content/424242')).to.deep.equal(calls);
      expect(found.steps.flatMap(step => step.stubs ?? []).map(({ path }) => path)).to.deep.equal(stubs);
      expect(found.leftOut).to.deep.equal(leftOut);
      const { favourites: _, nextPageId: __, ...world } = found.world;
      const there = Object.entries(world).flatMap(([kind, all]) =>
        Object.keys(all ?? {}).map(name => `${kind}/${name}`),
      );
      expect(there).to.have.members(names);
      expect(readFileSync(join(folder, file), 'utf8').includes(secret) || file === 'playwright.har').to.equal(true);
      expect(found.text).not.to.contain(secret);
    });

  it('reads the journal of a fake back, written by cwx-fake journal --har', async () => {
    const push = (body: object, as: string) =>
      sendJson(`${server.url}/~har/rest/cwx-ppf/latest/push`, 'POST', body, as);
    await sendJson(`${server.url}/_fake/v1/sandboxes/har/stubs`, 'PUT', {
      stubs: [{ path: '/rest/other/1.0', body: [1] }],
    });
    await push({ users: ['alice'], filters: [10500] }, 'admin');
    await push({ users: ['alice', 'nobody'], dashboards: [11100] }, 'admin');
    await push({ users: ['alice'], filters: [10500] }, 'carol');
    await fetch(`${server.url}/~har/rest/other/1.0`);
    const { code, stdout } = await inFolder('journal', '--url', `${server.url}/~har`, '--har');
    expect(code).to.equal(0);
    files.write('fake.har', stdout);
    const { steps, leftOut } = await recorded('fake.har');
    expect(leftOut).to.deep.equal([]);
    expect(steps.map(({ as, expect: { status } = {} }) => [as, status])).to.deep.equal([
      ['admin', 200],
      ['admin', 200],
      ['carol', 403],
      [undefined, 200],
    ]);
    const some = await inFolder('journal', 'caller=carol', '--url', `${server.url}/~har`, '--har');
    expect(JSON.parse(some.stdout).log.entries).to.have.length(1);
  });

  const request = { method: 'GET', url: 'http://a/b', headers: [] };
  const wrong: Readonly<Record<string, readonly [text: string, ...says: string[]]>> = {
    'a file that is not JSON': ['title: a\n', 'no JSON'],
    'a file that is cut short': ['{"log":{"entries":[', 'ends too early'],
    'other JSON': ['{"openapi":"3.1.0"}', 'log.entries'],
    'an entry without a response': [JSON.stringify({ log: { entries: [{ request }] } }), 'entry 1', 'response'],
    'a field of another type': [
      JSON.stringify({
        log: { entries: [{ request: { ...request, url: 1 }, response: { status: 200, headers: [] } }] },
      }),
      'entry 1: /request/url must be a string',
    ],
    'a body that is in a missing file': [
      JSON.stringify({
        log: { entries: [{ request, response: { status: 200, headers: [], content: { _file: '../x' } } }] },
      }),
      'entry 1',
      'file x',
    ],
  };
  for (const [what, [text, ...says]] of Object.entries(wrong))
    it(`reports ${what}`, async () => {
      files.write('wrong.har', text);
      const { code, stdout, stderr } = await inFolder('record', '--har', 'wrong.har');
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      for (const part of ['wrong.har', ...says]) expect(stderr).to.contain(part);
    });

  it('reports a missing file, and a range of a running fake', async () => {
    expect((await inFolder('record', '--har', 'none.har')).code).to.equal(2);
    expect((await inFolder('record', '--har', 'wrong.har', '--entries', '1-2')).code).to.equal(2);
  });
});
