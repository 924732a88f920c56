// `cwx-fake record` and `cwx-fake play capsule.json` as users run them: from a running fake, through curl into a file, and back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { rangeIn } from '../../../server/cli/record/record-command.js';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';
import { curlBare } from '../../support/processes/curl.js';
import { sendJson, serving } from '../../support/wire/server.js';

describe('cwx-fake record', function () {
  this.timeout(60_000);
  let server: Running;
  let files: Scratch;
  before(async () => {
    server = await serving();
    files = scratch();
    for (const user of ['alice', 'bob', 'carol'])
      await sendJson(
        `${server.url}/~job/rest/cwx-ppf/latest/push`,
        'POST',
        { users: [user], filters: [10500] },
        'admin',
      );
    await sendJson(`${server.url}/rest/cwx-ppf/latest/Push`, 'POST', {});
    const { stdout } = await curlBare([
      '-s',
      '-o',
      join(files.path, 'capsule.json'),
      '-w',
      '%{http_code}',
      `${server.url}/_fake/v1/sandboxes/job/capsule`,
    ]);
    expect(stdout).to.equal('200');
  });
  after(async () => {
    await server.stop();
    files.drop();
  });
  const inFolder = (...args: string[]) => run(args, { cwd: files.path });

  for (const from of ['capsule.json', 'URL']) {
    it(`writes a scenario from ${from === 'URL' ? 'a running fake' : 'a capsule'} that passes check and play`, async () => {
      const recorded = await inFolder('record', '--from', from === 'URL' ? `${server.url}/~job` : from);
      expect([recorded.code, recorded.stderr]).to.deep.equal([0, '']);
      files.write('happened.yaml', recorded.stdout);
      expect((await inFolder('check', 'happened.yaml')).stdout).to.equal('1 file checked, no problem\n');
      const played = await inFolder('play', 'happened.yaml');
      expect([played.code, played.stdout.split('\n').at(-2)]).to.deep.equal([
        0,
        '✔ 1 scenario, 3 steps passed, 0 failed, 0 skipped',
      ]);
      const against = await inFolder('play', 'happened.yaml', '--target', server.url);
      expect([against.code, against.stdout.split('\n').at(-2)]).to.deep.equal([
        0,
        '✔ 1 scenario, 3 steps passed, 0 failed, 0 skipped',
      ]);
    });
  }

  it('records the sandbox default if the URL names none, and unknown paths', async () => {
    const { code, stdout } = await inFolder('record', '--from', server.url);
    expect(code).to.equal(0);
    expect(stdout).to.contain('title: Requests of default').and.to.contain('path: /rest/cwx-ppf/latest/Push');
  });

  it('records selected entries', async () => {
    const { stdout } = await inFolder('record', '--from', 'capsule.json', '--entries', '2-2');
    expect(stdout.match(/- say: .*/g)).to.deep.equal(['- say: "Entry 2: admin asks ppf.push"']);
    expect((await inFolder('record', '--from', 'capsule.json', '--entries', '3-')).stdout).to.contain('Entry 3');
    expect(await inFolder('record', '--from', 'capsule.json', '--entries', '7')).to.include({
      code: 3,
      stdout: '',
      stderr: 'cwx-fake record: no such entries: the journal has 1 to 3\n',
    });
  });

  for (const [says, args, code, expected] of [
    ['a missing --from', [], 2, /^cwx-fake record: --from is missing/],
    ['a missing file', ['--from', 'none.json'], 2, /none\.json: There is no such file\./],
    [
      'an invalid range of entries',
      ['--from', 'capsule.json', '--entries', '7-3'],
      2,
      /--entries is "7-3": it must be a range of entry ids/,
    ],
    [
      'a server that does not answer',
      ['--from', 'http://127.0.0.1:9/'],
      4,
      /does not answer: the connection is refused/,
    ],
    ['a URL with a query', ['--from', 'http://127.0.0.1:9/?a=b'], 2, /without query/],
  ] as const) {
    it(`reports ${says}`, async () => {
      const ended = await inFolder('record', ...args);
      expect([ended.code, ended.stdout]).to.deep.equal([code, '']);
      expect(ended.stderr).to.match(expected);
    });
  }

  it('reports an unknown sandbox and an invalid capsule', async () => {
    const nowhere = await inFolder('record', '--from', `${server.url}/~jo`);
    expect([nowhere.code, nowhere.stderr]).to.deep.equal([
      2,
      `cwx-fake record: ${server.url} has no capsule of the sandbox jo: There is no sandbox "jo" (did you mean "job"?).\n`,
    ]);
    files.write('other.json', '{"capsule": 1}');
    expect((await inFolder('record', '--from', 'other.json')).stderr).to.contain('lacks the field "entries"');
  });

  it('sends the token if the fake requires one', async () => {
    const guarded = await serving('small-team', { 'control-token': 'sesame' });
    await sendJson(`${guarded.url}/rest/cwx-ppf/latest/push`, 'POST', { users: [], filters: [] }, 'admin');
    const without = await inFolder('record', '--from', guarded.url);
    expect([without.code, without.stdout]).to.deep.equal([4, '']);
    expect((await inFolder('record', '--from', guarded.url, '--control-token', 'sesame')).code).to.equal(0);
    await guarded.stop();
  });

  describe('playing a capsule', () => {
    it('gives the same answers', async () => {
      const { code, stdout } = await inFolder('play', 'capsule.json');
      expect([code, stdout]).to.deep.equal([
        0,
        'capsule.json: the sandbox job of the scenario small-team, 3 requests\n  all answers are identical\n',
      ]);
    });

    it('reports the first different answer', async () => {
      const text = readFileSync(join(files.path, 'capsule.json'), 'utf8');
      files.write('other.json', text.replace('with name bob', 'with name rob'));
      const { code, stdout } = await inFolder('play', 'other.json');
      expect(code).to.equal(1);
      expect(stdout).to.contain(
        '  entry 2, POST /rest/cwx-ppf/latest/push, has another answer:\n    the body differs from byte ',
      );
    });

    it('reports invalid capsules and conflicting flags', async () => {
      files.write('broken.json', '{');
      expect((await inFolder('play', 'broken.json')).stderr).to.match(/^cwx-fake play: broken\.json: Invalid JSON: /);
      expect(await inFolder('play', 'capsule.json', 'small-team')).to.include({ code: 2 });
      expect(await inFolder('play', 'capsule.json', '--target', server.url)).to.include({ code: 2, stdout: '' });
      expect(await inFolder('play', 'none.json')).to.include({ code: 2 });
    });

    it('exits as empty if no request was made', async () => {
      await serving().then(async other => {
        const { stdout } = await curlBare(['-s', `${other.url}/_fake/v1/sandboxes/default/capsule`]);
        files.write('empty.json', stdout);
        await other.stop();
      });
      expect(await inFolder('play', 'empty.json')).to.include({ code: 3 });
      expect(await inFolder('record', '--from', 'empty.json')).to.include({ code: 3, stdout: '' });
    });
  });

  it('accepts ranges', () => {
    const all = Number.MAX_SAFE_INTEGER;
    expect(['3-7', '3', '3-', '0', '0-3', '7-3', '-3', 'a', '1-2-3', ''].map(rangeIn)).to.deep.equal([
      { from: 3, to: 7 },
      { from: 3, to: 3 },
      { from: 3, to: all },
      ...Array.from({ length: 7 }),
    ]);
  });
});
