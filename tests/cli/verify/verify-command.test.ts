// `cwx-fake verify` as a user starts it: its output, its reports, what it publishes, and its exit code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { silent } from '../../support/other-servers/outside.js';
import { printedBy, refusalOf, run } from '../../support/processes/commands.js';
import { useBrokers } from '../../support/wire/hal-broker.js';
import { useServer } from '../../support/wire/server.js';

const root = new URL('../../../', import.meta.url);
const schema = JSON.parse(readFileSync(new URL('dist/contracts/schemas/verification.schema.json', root), 'utf8'));

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
/** An expression that names a value of a state. */
const taken = (name: string) => `$\{${name}}`;
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

  it('shows the query of a failed request, a space key included', async () => {
    const isUnique = addMember({
      description: 'expects that a key is free',
      request: {
        method: 'GET',
        path: '/rest/cwxapiextension/latest/spaces/isUnique',
        query: 'key=ds',
        headers: { Authorization: 'Bearer admin-token' },
      },
      response: { status: 200, body: { isUnique: 'maybe' } },
    });
    folder.write('key.json', text(pactOf('wiki-extension', isUnique)));
    const { code, stdout } = await verifying(['key.json']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/request +GET \/rest\/cwxapiextension\/latest\/spaces\/isUnique\?key=ds$/m);
  });

  it('prints what the broker says after a verification', async () => {
    const broker = await brokerWith({ pacts: [{ pact: good }] });
    const { code, stderr } = await verifying([broker.url]);
    expect(code).to.equal(0);
    expect(stderr).to.match(/Publish it\.\n$/);
  });

  it('uses colours if asked to', async () => {
    const { stdout } = await verifying(['good.json'], { FORCE_COLOR: '1' });
    expect(stdout).to.include('\u001b[32m✔\u001b[39m pushes');
  });

  it('reports a guess, explains it, and lets it pass', async () => {
    const { code, stdout } = await verifying(['guess.json']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^! adds Alice to the customers · rests on wiki-success=object$/m);
    expect(stdout).to.match(
      /^ {4}guess +it would fail under wiki-success=no-content: Status: expected 200, got 204\.$/m,
    );
    expect(stdout).to.match(/^ {2}wiki-success: How does a wiki operation respond when it succeeds\?$/m);
  });

  it('fails a guess with --strict', async () => {
    const { code, stdout } = await verifying(['guess.json', '--strict']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^✘ adds Alice to the customers · passed, but rests on wiki-success=object$/m);
    expect(stdout).to.match(/\n✘ .*: 0 passed, 1 failed, 0 undetermined\n$/);
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

  it('shows each failure with all that is needed to fix it, and exits with 1', async () => {
    const { code, stdout } = await verifying(['wrong.json']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^✔ pushes a filter/m);
    expect(stdout).to.match(/^✘ expects a 204.* · contradicts ppf\./m);
    expect(stdout).to.match(
      /^ {4}request +POST \/rest\/cwx-ppf\/latest\/push with \{"filters":\[10500\],"users":\["alice"\]\}$/m,
    );
    expect(stdout).to.match(/^ {4}response +200 \{"success":true/m);
    expect(stdout).to.match(/^ {4}differs +Status: .*204.*200/m);
    expect(stdout).to.match(/^ {4}at +wrong\.json:\d+$/m);
    expect(stdout).not.to.include('YWRtaW46YWRtaW4=');
  });

  it('reports how a client fares under other readings', async () => {
    const { code, stdout } = await verifying(['good.json', 'guess.json', '--sensitivity', '--report', 'md=a.md']);
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^ {2}web → push-pull passes under all \d+ readings of the (\d+ gaps|gap) it touches: it relies on no guess\.$/m,
    );
    expect(stdout).to.match(
      /^ {2}web → wiki-extension relies on .*wiki-success.*: it fails under \d+ of the \d+ readings( of the \d+ gaps it touches)?\./m,
    );
    expect(stdout).to.match(/^ {4}wiki-success +object \(used here\) +passes$/m);
    expect(stdout).to.match(/^ +no-content +fails 1 of 1$/m);
    expect(read('a.md')).to.match(/^\| wiki-success \| no-content \| fails 1 of 1 \| adds Alice to the customers: /m);
  });

  it('prints everything as JSON that matches its schema, and nothing else', async () => {
    const { code, stdout, stderr } = await verifying(['.', '--json', '--sensitivity', '--report', 'github']);
    expect(code).to.equal(1);
    const fits = new Ajv2020({ strictTypes: false }).compile(schema);
    const value = JSON.parse(stdout);
    expect(fits(value), JSON.stringify(fits.errors)).to.equal(true);
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

  it('writes reports, and appends to the step summary', async () => {
    folder.write('out/.keep', '');
    const args = ['wrong.json', 'guess.json', '--report', 'junit=out/a.xml,ctrf=out/a.json,md=out/a.md,github'];
    const { code, stdout } = await verifying(args, { GITHUB_STEP_SUMMARY: join(folder.path, 'summary.md') });
    expect(code).to.equal(1);
    expect(read('out/a.xml')).to.match(/<testsuites .* tests="3" failures="1" /);
    expect(JSON.parse(read('out/a.json')).results.summary).to.include({ tests: 3, passed: 2, failed: 1 });
    expect(read('out/a.md')).to.include('\n### Rests on a guess\n');
    expect(read('summary.md')).to.equal(`\n${read('out/a.md')}`);
    expect(stdout)
      .to.match(/^::error /m)
      .and.to.match(/^::warning /m);
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

  it('does not count pending interactions', async () => {
    const pact = { ...pactOf('push-pull'), metadata: { pactSpecification: { version: '4.0' } } };
    const later = { type: 'Synchronous/HTTP', pending: true, description: 'is not ready', providerStates: [] };
    const request = { method: 'POST', path: '/rest/cwx-ppf/latest/push' };
    folder.write('later.json', text({ ...pact, interactions: [{ ...later, request, response: { status: 200 } }] }));
    const { code, stdout } = await verifying(['later.json']);
    expect(code, stdout).to.equal(0);
    expect(stdout).to.match(/^– is not ready.* · Pending, so it does not count yet: /m);
    await verifying(['later.json', '--report', 'ctrf=pending.json']);
    expect(JSON.parse(read('pending.json')).results.summary).to.include({ tests: 1, pending: 1, skipped: 0 });
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
    expect(await counted('--only', 'is other')).to.deep.equal([
      1,
      '2 interactions left out by --only, --state or --consumer.',
    ]);
    expect(await counted('--state', 'user exists')).to.deep.equal([
      1,
      '2 interactions left out by --only, --state or --consumer.',
    ]);
    expect(await counted('--consumer', 'we')).to.deep.equal([3, '']);
    const none = await verifying(['two.json', '--only', 'nothing']);
    expect(none.code).to.equal(3);
  });

  it('says a failure once in JUnit and Markdown, and counts warnings', async () => {
    await verifying(['wrong.json', 'guess.json', '--report', 'junit=r.xml,md=r.md']);
    const once = /Status: expected 204, got 200\./g;
    const [, failure = ''] = /<failure[^>]*>(.*?)<\/failure>/s.exec(read('r.xml')) ?? [];
    expect(failure.match(once)).to.have.length(1);
    expect(read('r.md').match(once)).to.have.length(1);
    expect(read('r.md')).to.include('**3 checks**: 1 passed, 1 warning, 1 failed, 0 skipped');
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

  it('reports that it cannot publish, and keeps its exit code', async () => {
    const pacts = [{ pact: good }];
    const instead = { path: /verification-results/, response: { status: 500, body: 'no' } };
    const broker = await brokerWith({ pacts, instead });
    const { code, stderr } = await verifying([broker.url, '--publish', '--provider-version', '1']);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(/The result of web with push-pull was not published: .*500/);
  });

  it('is empty if no interaction was verified, and exits with 3', async () => {
    folder.write('none.json', text(pactOf('push-pull')));
    const { code, stdout, stderr } = await verifying(['none.json', '--sensitivity', '--strict']);
    expect(code).to.equal(3);
    expect(stdout).to.match(/\n– Verification against .*: 0 passed, 0 failed, 0 undetermined\n$/);
    expect(stderr).to.equal('none.json has no interactions.\n');
  });

  const usage: Readonly<Record<string, { args: string; says: RegExp }>> = {
    'nothing to verify': { args: '', says: /^cwx-fake verify: missing pacts: / },
    'a file that is not JSON and a missing one': {
      args: 'broken.json missing.json',
      says: /^broken\.json:1:\d+: .*\nmissing\.json: /,
    },
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

  const unusable: ReadonlyArray<readonly [what: string, matcher: object, says: RegExp]> = [
    ['an invalid regex', { match: 'regex', regex: '[' }, /could not judge the response: .*'\[' is not a valid regular/],
    ['an unknown matcher', { match: 'tipe' }, /could not judge the response: .*'tipe' matching rule/],
    [
      'half a matcher',
      { match: 'regex' },
      /sent no request: could not read the pact: Could not parse matcher \{"match"/,
    ],
  ];
  for (const [what, matcher, says] of unusable)
    it(`names an interaction with ${what}, and verifies the others`, async () => {
      const matchingRules = { '$.body.success': matcher };
      const broken = push({ description: 'broken', response: { status: 200, body: { success: true }, matchingRules } });
      folder.write('half.json', text(pactOf('push-pull', push(), broken)));
      const { code, stdout } = await verifying(['half.json', '--report', 'junit=half.xml']);
      expect(code).to.equal(1);
      expect(stdout).to.match(/^✔ .* · documented$/m);
      expect(stdout)
        .to.match(/^✘ broken/m)
        .and.to.match(says);
      expect(read('half.xml')).to.match(/ tests="2" failures="1" /);
    });

  it('reports a value that no state provides', async () => {
    const request = {
      ...push().request,
      generators: { path: { type: 'ProviderState', expression: `/rest/cwx-ppf/latest/${taken('verb')}` } },
    };
    const pact = {
      ...pactOf('push-pull', { ...push(), request }),
      metadata: { pactSpecification: { version: '3.0.0' } },
    };
    folder.write('takes.json', text(pact));
    const { stdout } = await verifying(['takes.json', '--report', 'junit=takes.xml,md=takes.md']);
    const said = `A generator needs ${taken('verb')} from a state, but its states return no values: the example's value is sent instead.`;
    expect(stdout).to.include(`    warning   ${said}`);
    expect(read('takes.xml')).to.include(said);
    expect(read('takes.md')).to.match(/A generator needs .*verb.* from a state, but its states return no values/);
  });

  it('exits with 4 if the target, a URL or a broker does not answer', async () => {
    const away = 'http://127.0.0.1:1';
    for (const args of [['good.json', '--target', away], [`${away}/pact.json`], [away]]) {
      expect(await refusalOf(verifying(args), 4)).to.include('127.0.0.1:1');
    }
  });
});
