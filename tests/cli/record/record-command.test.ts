// `cwx-fake record` as users run it: from a running fake into a file, which plays to the same responses.
import { expect } from 'chai';
import { rangeIn } from '../../../cli/record/record-command.js';
import { useSharedScratch } from '../../support/files/scratch.js';
import { refusalOf, run } from '../../support/processes/commands.js';
import { sendJson, serving, useServer } from '../../support/wire/server.js';

const PUSH = '/rest/cwx-ppf/latest/push';

describe('cwx-fake record', () => {
  const server = useServer();
  const files = useSharedScratch();
  before(async () => {
    for (const user of ['alice', 'bob', 'carol'])
      await sendJson(`${server.url}/~job${PUSH}`, 'POST', { users: [user], filters: [10500] }, 'admin');
    await sendJson(`${server.url}/rest/cwx-ppf/latest/Push`, 'POST', {});
  });
  const inFolder = (...args: string[]) => run(args, { cwd: files.path });

  it('writes a scenario that passes check and play, in this process and against a fake', async () => {
    for (const args of [
      ['--url', `${server.url}/~job`],
      ['--url', server.url, '--sandbox', 'job'],
    ]) {
      const recorded = await inFolder('record', ...args);
      expect(recorded).to.include({ code: 0, stderr: '' });
      files.write('happened.yaml', recorded.stdout);
      expect((await inFolder('check', 'happened.yaml')).stdout).to.equal('1 file checked, no problems\n');
      for (const at of [[], ['--target', server.url]]) {
        const played = await inFolder('play', 'happened.yaml', ...at);
        expect({ code: played.code, stdout: played.stdout.split('\n').at(-2) }).to.deep.equal({
          code: 0,
          stdout: '✔ 1 scenario, 3 steps passed, 0 failed, 0 skipped',
        });
      }
    }
  });

  it('records selected entries', async () => {
    const { stdout } = await inFolder('record', '--url', `${server.url}/~job`, '--entries', '2-2');
    expect(stdout.match(/- say: .*/g)).to.deep.equal(['- say: "Entry 2: admin calls ppf.push"']);
    expect((await inFolder('record', '--url', `${server.url}/~job`, '--entries', '3-')).stdout).to.contain('Entry 3');
    expect(await refusalOf(inFolder('record', '--url', `${server.url}/~job`, '--entries', '7'), 3)).to.equal(
      'cwx-fake record: The journal of the sandbox "job" contains only entries 1 to 3.\n',
    );
  });

  for (const [says, args, code, expected] of [
    [
      'an invalid range of entries',
      ['--entries', '7-3'],
      2,
      /--entries cannot be "7-3": it must be a range of entry ids/,
    ],
    ['a URL with a query', ['--url', 'http://127.0.0.1:9/?a=b'], 2, /without query/],
  ] as const) {
    it(`reports ${says}`, async () => {
      expect(await refusalOf(inFolder('record', ...args), code)).to.match(expected);
    });
  }

  it('reports an unknown sandbox, and a journal without requests', async () => {
    expect(await refusalOf(inFolder('record', '--url', `${server.url}/~jo`))).to.equal(
      'cwx-fake record: Unknown sandbox "jo" (did you mean "job"?).\n',
    );
    const other = await serving();
    expect(await refusalOf(inFolder('record', '--url', other.url), 3)).to.equal(
      'cwx-fake record: The journal of the sandbox "default" is empty.\n',
    );
    await other.stop();
  });

  it('sends the token if the fake requires one', async () => {
    const guarded = await serving('small-team', { 'control-token': 'sesame' });
    await sendJson(guarded.url + PUSH, 'POST', { users: [], filters: [] }, 'admin');
    const without = await inFolder('record', '--url', guarded.url);
    expect(without).to.include({ code: 2, stdout: '' });
    expect((await inFolder('record', '--url', guarded.url, '--control-token', 'sesame')).code).to.equal(0);
    await guarded.stop();
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
