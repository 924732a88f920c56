// `cwx-fake record` and `cwx-fake play capsule.json` as people run them: from a fake that is running, by curl into a file, and back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { rangeIn } from '../../../server/cli/record/record-command.js';
import type { Running } from '../../../server/process/start.js';
import { run } from '../../support/commands.js';
import { curlBare } from '../../support/curl.js';
import { type Scratch, scratch } from '../../support/scratch.js';
import { sendJson, serving } from '../../support/server.js';

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
    it(`writes a scenario from ${from === 'URL' ? 'a fake that is running' : 'a capsule'}, which is checked and played`, async () => {
      const recorded = await inFolder('record', '--from', from === 'URL' ? `${server.url}/~job` : from);
      expect([recorded.code, recorded.stderr]).to.deep.equal([0, '']);
      files.write('happened.yaml', recorded.stdout);
      expect((await inFolder('check', 'happened.yaml')).stdout).to.equal('1 file checked, no problem\n');
      const played = await inFolder('play', 'happened.yaml');
      expect([played.code, played.stdout.split('\n').at(-2)]).to.deep.equal([
        0,
        '1 scenario, 3 steps held, 0 failed, 0 skipped',
      ]);
      const against = await inFolder('play', 'happened.yaml', '--target', server.url);
      expect([against.code, against.stdout.split('\n').at(-2)]).to.deep.equal([
        0,
        '1 scenario, 3 steps held, 0 failed, 0 skipped',
      ]);
    });
  }

  it('writes the sandbox default where the URL names none, and paths at which there is nothing', async () => {
    const { code, stdout } = await inFolder('record', '--from', server.url);
    expect(code).to.equal(0);
    expect(stdout).to.contain('title: What was asked of default').and.to.contain('path: /rest/cwx-ppf/latest/Push');
  });

  it('writes some of the entries', async () => {
    const { stdout } = await inFolder('record', '--from', 'capsule.json', '--entries', '2-2');
    expect(stdout.match(/- say: .*/g)).to.deep.equal(['- say: "Entry 2: admin asks ppf.push"']);
    expect((await inFolder('record', '--from', 'capsule.json', '--entries', '3-')).stdout).to.contain('Entry 3');
    expect(await inFolder('record', '--from', 'capsule.json', '--entries', '7')).to.include({
      code: 3,
      stdout: '',
      stderr: 'cwx-fake record: there are no such entries: there are 1 to 3\n',
    });
  });

  for (const [says, args, code, told] of [
    ['nothing to record from', [], 2, /^cwx-fake record: --from is missing/],
    ['a file that there is not', ['--from', 'none.json'], 2, /none\.json cannot be read/],
    ['entries that are none', ['--from', 'capsule.json', '--entries', '7-3'], 2, /--entries is "7-3": it takes ids/],
    ['nobody who answers', ['--from', 'http://127.0.0.1:9/'], 4, /does not answer: the connection is refused/],
    ['a URL with a query', ['--from', 'http://127.0.0.1:9/?a=b'], 2, /without a query/],
  ] as const) {
    it(`is told of ${says}`, async () => {
      const ended = await inFolder('record', ...args);
      expect([ended.code, ended.stdout]).to.deep.equal([code, '']);
      expect(ended.stderr).to.match(told);
    });
  }

  it('is told of a sandbox that there is not, and of a capsule that is none', async () => {
    const nowhere = await inFolder('record', '--from', `${server.url}/~jo`);
    expect([nowhere.code, nowhere.stderr]).to.deep.equal([
      2,
      `cwx-fake record: ${server.url} gives no capsule of the sandbox jo: There is no sandbox "jo" (did you mean "job"?).\n`,
    ]);
    files.write('other.json', '{"capsule": 1}');
    expect((await inFolder('record', '--from', 'other.json')).stderr).to.contain('lacks the field "entries"');
  });

  it('takes the token of a fake that wants one', async () => {
    const guarded = await serving('small-team', { 'control-token': 'sesame' });
    await sendJson(`${guarded.url}/rest/cwx-ppf/latest/push`, 'POST', { users: [], filters: [] }, 'admin');
    const without = await inFolder('record', '--from', guarded.url);
    expect([without.code, without.stdout]).to.deep.equal([4, '']);
    expect((await inFolder('record', '--from', guarded.url, '--control-token', 'sesame')).code).to.equal(0);
    await guarded.stop();
  });

  describe('and a capsule that is played', () => {
    it('gives the same answers', async () => {
      const { code, stdout } = await inFolder('play', 'capsule.json');
      expect([code, stdout]).to.deep.equal([
        0,
        'capsule.json: the sandbox job of the scenario small-team, 3 requests\n  every answer is the same, byte for byte\n',
      ]);
    });

    it('tells the first that is another', async () => {
      const text = readFileSync(join(files.path, 'capsule.json'), 'utf8');
      files.write('other.json', text.replace('with name bob', 'with name rob'));
      const { code, stdout } = await inFolder('play', 'other.json');
      expect(code).to.equal(1);
      expect(stdout).to.contain(
        '  entry 2, POST /rest/cwx-ppf/latest/push, is answered otherwise:\n    the body differs from byte ',
      );
    });

    it('is told to be wrong, or to go with nothing else', async () => {
      files.write('broken.json', '{');
      expect((await inFolder('play', 'broken.json')).stderr).to.match(/^cwx-fake play: broken\.json: It is no JSON: /);
      expect(await inFolder('play', 'capsule.json', 'small-team')).to.include({ code: 2 });
      expect(await inFolder('play', 'capsule.json', '--target', server.url)).to.include({ code: 2, stdout: '' });
      expect(await inFolder('play', 'none.json')).to.include({ code: 2 });
    });

    it('is empty where nothing was asked', async () => {
      await serving().then(async other => {
        const { stdout } = await curlBare(['-s', `${other.url}/_fake/v1/sandboxes/default/capsule`]);
        files.write('empty.json', stdout);
        await other.stop();
      });
      expect(await inFolder('play', 'empty.json')).to.include({ code: 3 });
      expect(await inFolder('record', '--from', 'empty.json')).to.include({ code: 3, stdout: '' });
    });
  });

  it('reads ranges', () => {
    const all = Number.MAX_SAFE_INTEGER;
    expect(['3-7', '3', '3-', '0', '0-3', '7-3', '-3', 'a', '1-2-3', ''].map(rangeIn)).to.deep.equal([
      { from: 3, to: 7 },
      { from: 3, to: 3 },
      { from: 3, to: all },
      ...Array.from({ length: 7 }),
    ]);
  });
});
