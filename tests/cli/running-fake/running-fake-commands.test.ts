// The commands for a running fake, one per action: output as text and as JSON, and exit codes.
import { expect } from 'chai';
import { wordsOf } from '../../../cli/running-fake/verbs.js';
import { actions } from '../../../server/control/actions.js';
import { type Fake, startFake } from '../../../server/index.js';
import { scratch } from '../../support/files/scratch.js';
import { begin, printedBy, refusalOf, run } from '../../support/processes/commands.js';
import { REFUSED } from '../../support/wire/connection-failures.js';

const CLOCK = '2026-01-05T09:00:00Z';

describe('the commands for a running fake', () => {
  let fake: Fake;
  before(async () => {
    fake = await startFake({ controlToken: 'secret' });
  });
  after(() => fake.stop());
  const at = (name: string) => ['--url', `${fake.url}/~${name}`, '--control-token', 'secret'];
  const ask = (name: string, ...words: string[]) => run([...words, ...at(name)]);
  const joined = async (name: string) => {
    const sandbox = fake.sandbox(name, { clock: CLOCK });
    await sandbox.client().groups.addUsers({ body: { group: 'customers', users: ['alice'] } });
    return sandbox;
  };

  it('describe each action in their own words', () => {
    const words = actions.map(action => wordsOf(action).join(' '));
    expect(new Set(words).size).to.equal(words.length);
    expect(words).to.include.members(['journal', 'explain', 'reset', 'faults set', 'clock set', 'snapshots restore']);
  });

  it('show the journal, one line per request or as JSON', async () => {
    await joined('lines');
    const { code, stdout } = await ask('lines', 'journal', 'operation=groups.add-users');
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^#1 2026-01-05T09:00:00Z anonymous POST \S*\/groups\/add-users 200 · groups\.add-users · guesses: .*wiki-auth=open.*\n$/,
    );
    expect((await ask('lines', 'journal', 'status=404')).stdout).to.equal('no entries\n');
    const json = JSON.parse((await ask('lines', 'journal', '--json')).stdout);
    expect(json).to.have.nested.property('entries[0].operation', 'groups.add-users');
  });

  it('name the stub that responded, in the journal and in an explanation', async () => {
    const sandbox = await joined('stubbed');
    await ask('stubbed', 'stubs', 'add', '/hello', 'body=hi');
    await fetch(`${sandbox.url}/hello`);
    for (const words of [
      ['journal', '2'],
      ['explain', '2'],
    ])
      expect((await ask('stubbed', ...words)).stdout, words.join(' ')).to.include('stub: 1 /hello');
  });

  it('change the fake', async () => {
    const sandbox = await joined('steered');
    expect(await printedBy(ask('steered', 'clock', 'set', 'advance=PT1H'))).to.equal(
      'now: 2026-01-05T10:00:00Z\nrunning: false\n',
    );
    await ask('steered', 'snapshots', 'keep', 'before');
    await ask('steered', 'readings', 'set', 'unknown-user=400');
    expect((await sandbox.readings.get())['unknown-user']).to.equal('400');
    await ask('steered', 'faults', 'set', '--body', '{"faults":[{"operation":"ppf.push","effect":{"status":503}}]}');
    expect(await sandbox.faults.list()).to.have.length(1);
    await ask('steered', 'snapshots', 'restore', 'before');
    expect((await sandbox.readings.get())['unknown-user']).to.equal('404');
    await ask('steered', 'rewind', '0');
    expect((await sandbox.world()).groups.customers).to.deep.equal([]);
    expect((await ask('steered', 'reset')).stdout).to.equal('');
    expect(await sandbox.journal()).to.deep.equal([]);
  });

  it('show objects and lists in tables as text', async () => {
    await joined('shown');
    await ask('shown', 'readings', 'set', 'unknown-user=400');
    const { stdout } = await ask('shown', 'sandboxes');
    expect(stdout).to.match(/^shown .* unknown-user=400 .* entries=1 bytes=\d+ evicted=0 /m);
    await ask('shown', 'faults', 'add', 'ppf.push', 'status=503', 'retryAfter=30');
    expect((await ask('shown', 'faults')).stdout).to.match(/^ppf\.push +status=503 retryAfter=30 /m);
  });

  for (const command of ['reset', 'describe'])
    it(`refuse a sandbox that does not exist: ${command}`, async () => {
      await joined('known');
      expect(await refusalOf(ask('knwon', command))).to.equal(
        `cwx-fake ${command}: No such sandbox:\n  Unknown sandbox "knwon" (did you mean "known"?).\n`,
      );
    });

  it('read a body from a file', async () => {
    const files = scratch({ 'patch.json': '{"licence":{"ppf":"none"}}' });
    const args = ['world', 'patch', '--body', 'patch.json', ...at('filed')];
    expect((await run(args, { cwd: files.path })).code).to.equal(0);
    files.drop();
    expect((await fake.sandbox('filed').world()).licence.ppf).to.equal('none');
  });

  it('follow the journal until interrupted', async () => {
    const sandbox = await joined('followed');
    const { stdout, signals, ended } = begin(['journal', '--follow', ...at('followed')]);
    await stdout.says(/#1 /);
    await sandbox.client('admin').ppf.push({ body: { users: ['alice'], filters: [10500] } });
    await stdout.says(/#2 .* ppf\.push/);
    signals.emit('SIGINT', 'SIGINT');
    expect((await ended).code).to.equal(0);
  });

  const wrong: Record<string, [words: string[], code: number, says: string]> = {
    'a field of a fault with a wrong value': [
      ['faults', 'add', 'ppf.push', 'status=abc'],
      2,
      '\n  "status" must be a whole number, not "abc".',
    ],
    'fields of a fault that exclude each other': [
      ['faults', 'add', 'ppf.push', 'status=503', 'hangUp=true'],
      2,
      '\n  "status": hangUp ends the connection',
    ],
    'a failed verification': [['journal', 'verify', 'operation=ppf.pull'], 1, 'Not verified'],
    'a body that is not JSON': [['world', 'patch', '--body', '{'], 2, 'is neither JSON nor a JSON file'],
    'describing an unknown sandbox': [['describe', '--sandbox', 'nobody'], 2, 'Unknown sandbox'],
  };
  for (const [what, [words, code, says]] of Object.entries(wrong)) {
    it(`exit with ${code} for ${what}`, async () => {
      expect(await refusalOf(ask('wrong', ...words), code))
        .to.contain(says)
        .and.to.match(/^cwx-fake \w+: /);
    });
  }

  it('exit with 4 if the fake does not answer, and with 2 without the token', async () => {
    expect(await refusalOf(run(['clock', '--url', 'http://127.0.0.1:9']), 4)).to.equal(
      [
        'cwx-fake clock: The fake cannot be reached:',
        `  http://127.0.0.1:9 does not respond: ${REFUSED}.`,
        '  Start a fake with cwx-fake serve, or give the URL of a running one with --url.\n',
      ].join('\n'),
    );
    expect(await refusalOf(run(['clock', '--url', fake.url]))).to.match(
      /^cwx-fake clock: A control token is required:\n/,
    );
  });
});

describe('what people read about a request', () => {
  let fake: Fake;
  before(async () => {
    fake = await startFake();
    const send = (path: string, body: unknown) =>
      fetch(`${fake.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('admin:admin')}` },
        body: JSON.stringify(body),
      });
    await send('/rest/cwx-ppf/latest/push', { users: ['alice', 'zoe'], filters: [10500] });
    await send('/rest/cwxapiextension/latest/groups/add-user', {});
    await send('/rest/cwxapiextension/latest/groups/add-users', { group: 'customers', users: ['zoe'] });
  });
  after(() => fake.stop());
  const shown = async (...words: string[]) => (await run([...words, '--url', fake.url])).stdout;

  it('has the message of each response and the nearest path in the journal', async () => {
    const [push, nowhere, unknown] = (await shown('journal')).split('\n');
    expect(push).to.contain('Could not find user with name zoe');
    expect(nowhere).to.contain('the nearest path is /rest/cwxapiextension/latest/groups/add-users. ·');
    expect(unknown).to.contain('zoe').and.to.contain(' 404 ');
  });

  it('explains the response with its body, each rule and reading in a sentence, the changes, and what would differ', async () => {
    const text = await shown('explain', '1');
    expect(text)
      .to.contain('200 · ppf.push')
      .and.to.contain('"messages":["Could not find user with name zoe"]')
      .and.to.contain('alice gets filter 10500')
      .and.to.match(/Rules:\n {2}[a-z]+\.\S+\n {6}[A-Z].*\.\n {6}Document: /)
      .and.to.match(/ppf-partial=apply-rest\n/)
      .and.to.contain('all-or-nothing: nothing is changed. The response would ')
      .and.to.not.contain('{"rule"')
      .and.to.not.contain('…');
  });

  for (const columns of [40, 80])
    it(`wraps explanations in a terminal of ${columns} columns, at words`, async () => {
      const { stdout, ended } = begin(['explain', '1', '--url', fake.url], { columns });
      await ended;
      expect(stdout.text.split('\n').filter(line => line.length > columns)).to.deep.equal([]);
      const words = (text: string) => text.replace(/\s+/g, '');
      expect(words(stdout.text)).to.equal(words(await shown('explain', '1')));
    });
});
