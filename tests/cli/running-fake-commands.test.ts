// The commands for a fake that runs: each action that has one, with its answer for people and for programs, and its exit code.
import { expect } from 'chai';
import { wordsOf } from '../../server/cli/running-fake-commands.js';
import { actions } from '../../server/control/actions.js';
import { type Fake, startFake } from '../../server/index.js';
import { begin, run } from '../support/commands.js';
import { scratch } from '../support/scratch.js';

const CLOCK = '2026-01-05T09:00:00Z';

describe('the commands for a fake that runs', function () {
  this.timeout(60_000);
  let fake: Fake;
  before(async () => {
    fake = await startFake({ controlToken: 'secret' });
  });
  after(() => fake.stop());
  const ask = (name: string, ...words: string[]) =>
    run([...words, '--url', `${fake.url}/~${name}`, '--control-token', 'secret']);
  const joined = async (name: string) => {
    const sandbox = fake.sandbox(name, { clock: CLOCK });
    await sandbox.client().groups.addUsers({ body: { group: 'customers', users: ['alice'] } });
    return sandbox;
  };

  it('have words of their own for each action', () => {
    const words = actions.map(action => wordsOf(action).join(' '));
    expect(new Set(words).size).to.equal(words.length);
    expect(words).to.include.members(['journal', 'explain', 'reset', 'faults set', 'clock set', 'snapshots restore']);
  });

  it('show the journal, a line for each request', async () => {
    await joined('lines');
    const { code, stdout } = await ask('lines', 'journal', 'operation=groups.add-users');
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^#1 2026-01-05T09:00:00Z anonymous POST \S*\/groups\/add-users 200 · groups\.add-users · guesses: .*wiki-auth=open.*\n$/,
    );
    expect((await ask('lines', 'journal', 'status=404')).stdout).to.equal('no entries\n');
  });

  it('give programs JSON', async () => {
    await joined('json');
    const { stdout } = await ask('json', 'journal', '--json');
    expect(JSON.parse(stdout)).to.have.nested.property('entries[0].operation', 'groups.add-users');
  });

  it('change what they are told', async () => {
    const sandbox = await joined('told');
    expect(await ask('told', 'clock', 'set', 'advance=PT1H')).to.deep.equal({
      code: 0,
      stdout: 'now: 2026-01-05T10:00:00Z\nrunning: false\n',
      stderr: '',
    });
    await ask('told', 'snapshots', 'keep', 'before');
    await ask('told', 'readings', 'set', 'unknown-user=400');
    expect((await sandbox.readings.get())['unknown-user']).to.equal('400');
    await ask('told', 'faults', 'set', '--body', '{"faults":[{"operation":"ppf.push","effect":{"status":503}}]}');
    expect(await sandbox.faults.list()).to.have.length(1);
    await ask('told', 'snapshots', 'restore', 'before');
    expect((await sandbox.readings.get())['unknown-user']).to.equal('404');
    await ask('told', 'rewind', '0');
    expect((await sandbox.world()).groups.customers).to.deep.equal([]);
    expect((await ask('told', 'reset')).stdout).to.equal('');
    expect(await sandbox.journal()).to.deep.equal([]);
  });

  it('take a body from a file', async () => {
    const files = scratch({ 'patch.json': '{"licence":{"ppf":"none"}}' });
    try {
      const args = [
        'world',
        'patch',
        '--body',
        'patch.json',
        '--url',
        `${fake.url}/~filed`,
        '--control-token',
        'secret',
      ];
      expect((await run(args, { cwd: files.path })).code).to.equal(0);
      expect((await fake.sandbox('filed').world()).licence.ppf).to.equal('none');
    } finally {
      files.drop();
    }
  });

  it('go on with the journal until they are ended', async () => {
    const sandbox = await joined('followed');
    const { stdout, signals, ended } = begin([
      'journal',
      '--follow',
      '--url',
      `${fake.url}/~followed`,
      '--control-token',
      'secret',
    ]);
    await stdout.says(/#1 /);
    await sandbox.client('admin').ppf.push({ body: { users: ['alice'], filters: [10500] } });
    await stdout.says(/#2 .* ppf\.push/);
    signals.emit('SIGINT', 'SIGINT');
    expect((await ended).code).to.equal(0);
  });

  const wrong: Record<string, [words: string[], code: number, says: string]> = {
    'an act that there is not': [['faults', 'sett'], 2, 'there is no field "sett"'],
    'a field that there is not': [['journal', 'operaton=x'], 2, '(did you mean "operation"?)'],
    'a version that there is not': [['rewind', '99'], 2, 'There has been no version 99'],
    'requests that were not asked': [['journal', 'verify', 'operation=ppf.pull'], 1, 'It was not asked so'],
    'a body that is no JSON': [['world', 'patch', '--body', '{'], 2, 'is neither JSON nor a file of JSON'],
    'a sandbox to be described that there is not': [['describe', '--sandbox', 'nobody'], 2, 'There is no sandbox'],
  };
  for (const [what, [words, code, says]] of Object.entries(wrong)) {
    it(`end with ${code} for ${what}`, async () => {
      const ended = await ask('wrong', ...words);
      expect([ended.code, ended.stdout]).to.deep.equal([code, '']);
      expect(ended.stderr)
        .to.contain(says)
        .and.to.match(/^cwx-fake \w+: /);
    });
  }

  it('end with 4 where nobody answers, and without the token', async () => {
    const nobody = await run(['clock', '--url', 'http://127.0.0.1:9']);
    expect([nobody.code, nobody.stderr]).to.deep.equal([
      4,
      'cwx-fake clock: The fake cannot be asked:\n  http://127.0.0.1:9 does not answer: the connection is refused.\n',
    ]);
    const untold = await run(['clock', '--url', fake.url]);
    expect([untold.code, untold.stderr.split('\n')[0]]).to.deep.equal([4, 'cwx-fake clock: A token is due:']);
  });
});
