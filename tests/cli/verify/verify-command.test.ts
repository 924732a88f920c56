// `cwx-fake verify` as a user starts it: its output, its reports, what it publishes, and its exit code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { silent } from '../../support/other-servers/outside.js';
import { printedBy, refusalOf, run } from '../../support/processes/commands.js';
import { useBrokers } from '../../support/wire/hal-broker.js';
import { useServer } from '../../support/wire/server.js';

const push = (over: object = {}) => ({
  description: 'pushes a filter to Alice',
  providerState: 'small-team',
  request: {
    method: 'POST',
    path: '/rest/cwx-ppf/latest/push',
    headers: {
      Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
      'Content-Type': 'application/json',
    },
    body: { users: ['alice'], filters: [10500] },
  },
  response: { status: 200, body: { success: true } },
  ...over,
});
const addMember = (over: object = {}) => ({
  description: 'adds Alice to the customers',
  request: {
    method: 'POST',
    path: '/rest/cwxapiextension/latest/groups/add-users',
    headers: { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' },
    body: { group: 'customers', users: ['alice'] },
  },
  response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: {} },
  ...over,
});
const pactOf = (provider: string, ...interactions: readonly object[]) => ({
  consumer: { name: 'web' },
  provider: { name: provider },
  interactions,
  metadata: { pactSpecification: { version: '2.0.0' } },
});
const text = (pact: object) => JSON.stringify(pact, null, 2);
const good = pactOf('push-pull', push());
const guessing = pactOf('wiki-extension', addMember());
const wrong = pactOf('push-pull', push(), push({ description: 'expects a 204', response: { status: 204 } }));

describe('cwx-fake verify', () => {
  const brokerWith = useBrokers();
  const other = useServer(undefined, silent);
  const folder = useScratch({ 'good.json': text(good), 'guess.json': text(guessing), 'wrong.json': text(wrong) });

  const verifying = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(['verify', ...args], { cwd: folder.path, env });
  const read = (file: string) => readFileSync(join(folder.path, file), 'utf8');

  it('is short if everything passes, and exits with 0', async () => {
    const stdout = await printedBy(verifying(['good.json']));
    expect(stdout).to.match(
      /^web → push-pull {2}good\.json\n✔ pushes a filter to Alice.* · documented\n\nThe passing interactions exercise \d+ of the document's \d+ rules: .*\bppf\.push\b.*\n✔ Verification against a fake in this process: 1 passed, 0 failed, 0 undetermined\n$/,
    );
    expect(stdout).not.to.include('\u001b');
  });

  it('reports a guess, explains it, and fails it with --strict only', async () => {
    const { code, stdout } = await verifying(['guess.json']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^! adds Alice to the customers · rests on wiki-success=object$/m);
    expect(stdout).to.match(
      /^ {4}guess +it would fail under wiki-success=no-content: Status: expected 200, got 204\.$/m,
    );
    expect(stdout).to.match(/^ {2}wiki-success: How does a wiki operation respond when it succeeds\?$/m);
    const strict = await verifying(['guess.json', '--strict']);
    expect(strict.code).to.equal(1);
    expect(strict.stdout).to.match(/^✘ adds Alice to the customers · passed, but rests on wiki-success=object$/m);
  });

  it('uses the given readings, by flag and by file', async () => {
    folder.write('readings.yaml', 'wiki-success: no-content\n');
    for (const args of [
      ['--reading', 'wiki-success=no-content'],
      ['--readings', 'readings.yaml'],
    ]) {
      const { code, stdout } = await verifying(['guess.json', ...args]);
      expect(code, stdout).to.equal(1);
      expect(stdout).to.include('✘ adds Alice').and.to.include('it would pass under wiki-success=object');
    }
  });

  it('shows each failure with all that is needed to fix it, in reports too, and exits with 1', async () => {
    const request = { ...addMember().request, method: 'GET', query: 'key=ds' };
    const path = '/rest/cwxapiextension/latest/spaces/isUnique';
    const isUnique = addMember({
      request: { ...request, path },
      response: { status: 200, body: { isUnique: 'maybe' } },
    });
    folder.write('key.json', text(pactOf('wiki-extension', isUnique)));
    const reports = 'junit=a.xml,ctrf=a.json,md=a.md,github';
    const env = { GITHUB_STEP_SUMMARY: join(folder.path, 'summary.md') };
    const { code, stdout } = await verifying(['wrong.json', 'guess.json', 'key.json', '--report', reports], env);
    expect(code).to.equal(1);
    expect(stdout)
      .to.match(/^✔ pushes a filter/m)
      .and.to.match(/^✘ expects a 204.* · contradicts ppf\./m)
      .and.to.match(
        /^ {4}request +POST \/rest\/cwx-ppf\/latest\/push with \{"filters":\[10500\],"users":\["alice"\]\}$/m,
      )
      .and.to.match(/request +GET \/rest\/cwxapiextension\/latest\/spaces\/isUnique\?key=ds/)
      .and.to.match(/^ {4}response +200 \{"success":true/m)
      .and.to.match(/^ {4}differs +Status: .*204.*200/m)
      .and.to.match(/^ {4}at +wrong\.json:\d+$/m)
      .and.to.match(/^::error /m)
      .and.to.match(/^::warning /m)
      .and.not.to.include('YWRtaW46YWRtaW4=');
    const once = /Status: expected 204, got 200\./g;
    expect(read('a.xml')).to.match(/<testsuites .* tests="4" failures="2" /);
    expect(/<failure[^>]*>(.*?)<\/failure>/s.exec(read('a.xml'))?.[1]?.match(once)).to.have.length(1);
    expect(JSON.parse(read('a.json')).results.summary).to.include({ tests: 4, passed: 2, failed: 2 });
    expect(read('a.md')).to.include('**4 checks**: 1 passed, 1 warning, 2 failed, 0 skipped');
    expect(read('a.md').match(once)).to.have.length(1);
    expect(read('summary.md')).to.equal(`\n${read('a.md')}`);
  });

  it('reports how a client fares under other readings', async () => {
    const { code, stdout } = await verifying(['good.json', 'guess.json', '--sensitivity', '--report', 'md=a.md']);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^ {2}web → push-pull passes under all \d+ readings of .*: it relies on no guess\.$/m)
      .and.to.match(/^ {4}wiki-success +object \(used here\) +passes$/m)
      .and.to.match(/^ +no-content +fails 1 of 1$/m);
    expect(read('a.md')).to.match(/^\| wiki-success \| no-content \| fails 1 of 1 \| adds Alice to the customers: /m);
  });

  it('prints everything as JSON, and nothing else', async () => {
    const { code, stdout, stderr } = await verifying(['.', '--json', '--sensitivity', '--report', 'github']);
    expect(code).to.equal(1);
    const value = JSON.parse(stdout);
    expect(value.summary).to.include({ interactions: 4, passed: 3, failed: 1 });
    expect(value.contracts.map(({ source }: { source: string }) => source)).to.deep.equal([
      'good.json',
      'guess.json',
      'wrong.json',
    ]);
    expect(stderr).to.match(/^::error file=wrong\.json,line=\d+,title=web → push-pull › expects a 204/m);
    expect(stderr).to.match(/^::warning file=guess\.json,line=\d+,title=web → wiki-extension › adds Alice/m);
    expect(stdout).not.to.match(/YWRtaW46YWRtaW4=|admin-token/);
  });

  it('deletes the report of an earlier run if it exits with 2 or 4, and gives the reason', async () => {
    const report = ['--report', 'junit=old.xml,ctrf=old.json'];
    expect((await verifying(['good.json', ...report])).code).to.equal(0);
    folder.write('broken.json', '{');
    const ends: ReadonlyArray<readonly [code: number, args: readonly string[], message: string]> = [
      [2, ['broken.json'], 'broken.json:1:2'],
      [2, ['good.json', '--publish'], '--publish requires '],
      [4, ['good.json', '--target', 'http://127.0.0.1:1'], 'does not respond'],
    ];
    for (const [code, args, message] of ends) {
      expect((await verifying([...args, ...report])).code).to.equal(code);
      expect(read('old.xml'))
        .to.match(/ tests="1" failures="1" /)
        .and.include(message);
      expect(JSON.parse(read('old.json')).results.summary).to.include({ tests: 1, failed: 1 });
    }
  });

  it('verifies only the interactions that the flags select, and reports how many it leaves out', async () => {
    const given = { providerStates: [{ name: 'user exists', params: { name: 'zoe' } }] };
    const metadata = { pactSpecification: { version: '3.0.0' } };
    folder.write(
      'two.json',
      text({ ...good, metadata, interactions: [push(), push({ description: 'is other', ...given })] }),
    );
    const counted = async (...flags: string[]) => {
      const { stdout, stderr } = await verifying(['two.json', 'guess.json', ...flags, '--json']);
      const { summary } = JSON.parse(stdout) as { summary: { interactions: number } };
      return [summary.interactions, stderr.split('\n')[0]];
    };
    const one = [1, '2 interactions left out by --only, --state or --consumer.'];
    expect(await counted('--only', 'is other')).to.deep.equal(one);
    expect(await counted('--state', 'user exists')).to.deep.equal(one);
    expect(await counted('--consumer', 'we')).to.deep.equal([3, '']);
    const none = await verifying(['two.json', '--only', 'nothing']);
    expect(none.code).to.equal(3);
  });

  it('verifies another server, with extra headers', async () => {
    const refused = await verifying(['good.json', '--target', other.url]);
    expect(refused.code).to.equal(2);
    expect(refused.stderr)
      .to.match(/^ {2}.* up to \d+ requests? that can change data$/m)
      .and.to.include('Nothing is restored afterwards')
      .and.to.include('--yes');
    expect((await verifying(['good.json', '--target', other.url, '--yes'])).stdout).to.match(
      new RegExp(`\\n✔ Verification against ${other.url}: 1 passed, 0 failed`),
    );
    const args = ['good.json', '--target', other.url, '--yes', '--header', 'Authorization: Basic Y2Fyb2w6Y2Fyb2w='];
    const asCarol = await verifying(args);
    expect(asCarol.code, asCarol.stdout).to.equal(1);
    expect(asCarol.stdout).to.match(/^ {4}response +403/m);
  });

  it('reads from a broker named by the environment, and publishes the results', async () => {
    const broker = await brokerWith({ pacts: [{ pact: good }], token: 'secret' });
    const env = { PACT_BROKER_BASE_URL: broker.url, PACT_BROKER_TOKEN: 'secret' };
    const published = await verifying(['--publish', '--provider-version', '1.2.3', '--selector', 'mainBranch'], env);
    expect(published.code, published.stderr).to.equal(0);
    expect(published.stderr).to.include('Publishing the results of a fake as version 1.2.3: web with push-pull ');
    const results = broker.by('POST').filter(({ path }) => path.includes('verification-results'));
    expect(results).to.have.length(1);
    expect(results[0]?.body).to.include({ success: true, providerApplicationVersion: '1.2.3' });
    expect(`${published.stdout}${published.stderr}`).not.to.include('secret');
    const refused = await verifying([], { PACT_BROKER_BASE_URL: broker.url });
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include('--broker-token');
  });

  const usage: Readonly<Record<string, { args: string; says: RegExp }>> = {
    'nothing to verify': { args: '', says: /^cwx-fake verify: missing pacts: / },
    'an unknown scenario, with the nearest': {
      args: 'good.json --scenario unlicenced',
      says: /unlicenced.*did you mean "unlicensed"/,
    },
    'an invalid readings file': {
      args: 'good.json --readings readings.yaml',
      says: /^readings\.yaml:1:1: .*wiki-sucess/,
    },
  };
  for (const [what, { args, says }] of Object.entries(usage))
    it(`exits with 2 for ${what}`, async () => {
      folder.write('broken.json', '{');
      folder.write('readings.yaml', 'wiki-sucess: object\n');
      expect(await refusalOf(verifying(args.split(' ').filter(Boolean)))).to.match(says);
    });

  it('exits with 4 if the target, a URL or a broker does not answer', async () => {
    const away = 'http://127.0.0.1:1';
    for (const args of [['good.json', '--target', away], [`${away}/pact.json`], [away]]) {
      expect(await refusalOf(verifying(args), 4)).to.include('127.0.0.1:1');
    }
  });
});
