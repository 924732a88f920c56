// `cwx-fake sensitivity -- <command>`: its results for suites that are small programs, and its errors for those it cannot judge. Suites of
// real runners are in tests/proof.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { useSharedScratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { beginning } from '../../support/processes/command-line.js';
import { run } from '../../support/processes/commands.js';
import { until } from '../../support/worlds/until.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

/** A suite that sends a request over a socket and ends with what `judge` makes of the status. */
const suite = (judge: string, headers = '') => `
answer=$(curl -si ${headers} -u admin:admin -H 'Content-Type: application/json' \
  -d '{"group":"customers","users":["nobody"]}' "$CWX_FAKE_URL${ADD}")
set -- $answer
status=$2
${judge}
`;
const guesses = `
if [ $status != 404 ]; then
  echo '  1) an unknown user'
  echo "Error: expected 404, got $status" >&2
  exit 1
fi`;
const robust = '[ $status -lt 500 ]';

interface Json {
  readonly baseline: { readonly profile?: string; readonly coverage: { readonly gaps: Record<string, object> } };
  readonly tried: ReadonlyArray<{ readonly gap: string; readonly reading: string; readonly outcome: string }>;
}

describe('cwx-fake sensitivity', () => {
  const folder = useSharedScratch({
    'guesses.sh': suite(guesses),
    'robust.sh': suite(robust),
    'pinned.sh': suite(guesses, "-H 'X-Fake-Reading: unknown-user=404'"),
    'silent.sh': '',
    'broken.sh': suite("echo 'TypeError: it is broken' >&2\nexit 1\n"),
    'unreached.sh': "echo 'TypeError: no URL' >&2\nexit 1\n",
    'flaky.sh': suite("if [ -e second ]; then echo 'Error: every second time'; exit 1; fi\ntouch second"),
    'hangs.sh': suite('[ $status != 400 ] || sleep 300'),
    'leaves.sh': suite('sleep 300 &\necho $! > left'),
    'waits.sh': suite('if [ $status != 404 ]; then touch waiting; sleep 300; fi'),
  });

  const words = (flags: string, file?: string) =>
    `sensitivity ${flags}${file === undefined ? '' : ` -- sh ${file}`}`.split(' ').filter(word => word !== '');
  const sensitivity = (flags: string, file?: string) => run(words(flags, file), { cwd: folder.path });

  it('runs a suite under a profile, and under every other reading of the gaps it meets there', async () => {
    const { code, stdout } = await sensitivity('--profile strict --only wiki-prefix --json', 'robust.sh');
    expect(code).to.equal(0);
    const { baseline, tried } = JSON.parse(stdout) as Json;
    expect(baseline).to.include({ profile: 'strict' });
    expect(Object.keys(baseline.coverage.gaps['wiki-prefix'] ?? {})).to.deep.equal(['rest']);
    expect(tried.map(({ gap, reading, outcome }) => [gap, reading, outcome])).to.deep.equal([
      ['wiki-prefix', 'any', 'passes'],
      ['wiki-prefix', 'rest-api', 'passes'],
      ['wiki-prefix', 'bare', 'passes'],
    ]);
  });

  it('reports on which guess a suite relies, and why: 0, with --strict 1', async () => {
    const { code, stdout, stderr } = await sensitivity('', 'guesses.sh');
    expect(stderr).to.match(
      /^The suite passes in [\d.]+ s, with 1 request\. It touches 5 gaps: 12 runs, \d at a time, about \d+ s\.\n$/,
    );
    expect(code).to.equal(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 11), stdout).to.deep.equal([
      '✔ context-path=none',
      '✔ error-text=other',
      '! unknown-user=400 · the suite fails: exit code 1; it passes under 404',
      '    1) an unknown user',
      '    Error: expected 404, got 400',
      '! unknown-user=403 · the suite fails: exit code 1; it passes under 404',
      '    1) an unknown user',
      '    Error: expected 404, got 403',
      '! unknown-user=skip · the suite fails: exit code 1; it passes under 404',
      '    1) an unknown user',
      '    Error: expected 404, got 200',
    ]);
    expect(lines).to.include('The suite relies on 1 of 5 gaps tried: unknown-user.');
    expect(lines.at(-2)).to.match(/^✔ .* under other readings: \d+ passed, 6 warnings, 0 failed, 0 undetermined$/);
    const strict = await sensitivity('--strict --only unknown-user --report junit=r.xml,md=r.md', 'guesses.sh');
    expect(strict.code).to.equal(1);
    expect(readFileSync(`${folder.path}/r.xml`, 'utf8'))
      .to.contain('name="unknown-user=400"')
      .and.to.contain('got 400');
    expect(readFileSync(`${folder.path}/r.md`, 'utf8'))
      .to.contain('**5 checks**: 0 passed, 5 failed, 0 skipped')
      .and.to.contain(`### What the requests have covered\n\n1 request, 1 of ${operations.length} operations, `);
  });

  it('reports nothing for a suite that relies on no guess, whatever the variable is called', async () => {
    folder.write('named.sh', suite(robust).replace('CWX_FAKE_URL', 'API'));
    const { code, stdout } = await sensitivity('--strict --only unknown-user --env API={url}/~mine', 'named.sh');
    expect(code).to.equal(0);
    expect(stdout).to.match(/\nThe suite relies on no gap: 1 gap/);
  });

  it('varies no reading that the suite sets itself', async () => {
    const { code, stdout } = await sensitivity('--only unknown-user', 'pinned.sh');
    expect(code).to.equal(0);
    expect(stdout).to.match(/^– unknown-user=404 · The suite sets this reading itself\.\nNo reading was tried\.\n/);
  });

  /** By exit code and command line. */
  const failing: Readonly<Record<number, Readonly<Record<string, RegExp>>>> = {
    1: {
      '-- sh broken.sh':
        /^The suite fails even without changed readings: exit code 1\. Fix the suite first\.\n(?:.*\n)*.*TypeError: it is broken/,
      '--reading unknown-user=400 -- sh guesses.sh':
        /^The suite fails even without changed readings: .*\n {4}1\) an unknown user\n {4}Error: expected 404, got 400\n/,
      '--repeat 3 -- sh flaky.sh':
        /^The suite is flaky: it passes 1 of 3 times under the same readings: exit code 1\. .*\n {4}Error: every second time/,
    },
    2: {
      '-- nmp test': /^cwx-fake sensitivity: "nmp" cannot be run: command not found\n$/,
      '': /missing arguments: -- <command…>/,
      '--only unknown-usr -- true': /unknown gap \(did you mean "unknown-user"\?\)/,
      '--env ={url} -- true': /it must be NAME=\{url\} or NAME=\{url\}\/path/,
    },
    3: {
      '-- sh silent.sh':
        /^None of the suite's requests reached a fake: make it read the URL of the fake from CWX_FAKE_URL/,
      '-- sh unreached.sh':
        /^None of the suite's requests reached a fake: .* The suite fails: exit code 1\.\n {4}TypeError: no URL/,
      '--only view-post -- sh robust.sh': /The suite touches none of the gaps given with --only\./,
    },
  };
  for (const [code, lines] of Object.entries(failing))
    for (const [line, says] of Object.entries(lines))
      it(`reports why it ends with ${code}: ${line || 'no command'}`, async () => {
        const ended = await sensitivity(line);
        expect(ended.code, ended.stderr).to.equal(Number(code));
        expect(ended.stderr).to.match(says);
      });

  it('kills a run that does not end, and counts it as failed', async () => {
    const { stdout } = await sensitivity('--timeout 1 --jobs 4 --only unknown-user', 'hangs.sh');
    expect(stdout).to.contain('! unknown-user=400 · the suite fails: timed out after 1 s');
  });

  it('kills the processes that a command leaves behind', async () => {
    await sensitivity('--only view-post', 'leaves.sh');
    const pid = Number(readFileSync(`${folder.path}/left`, 'utf8'));
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    expect(stdout.trim()).not.to.match(/^[^Z]/); // init may not have reaped it yet
  });

  it('reports the base path once, and does not count it with --strict', async () => {
    folder.write('based.sh', suite('echo "$answer" | grep -iq ^X-Fake-Operation:'));
    const { code, stdout } = await sensitivity('--strict --only wiki-prefix --only context-path', 'based.sh');
    expect(stdout).to.match(/The suite relies on the provider's base path: it would fail under wiki-prefix=\S+/);
    expect(stdout).to.include('relies on no gap: 2 gaps tried.');
    expect(code).to.equal(0);
  });

  it('repeats a run that fails, so that a flaky run is no guess', async () => {
    const first = 'if [ $status != 404 ]; then if [ -e failed ]; then rm failed; else touch failed; exit 1; fi; fi';
    folder.write('once.sh', suite(first));
    const { code, stdout } = await sensitivity('--strict --jobs 1 --only unknown-user', 'once.sh');
    expect(stdout).to.match(/^– unknown-user=400 · The suite is flaky: it failed \(exit code 1\), then passed\.$/m);
    expect(stdout).to.include('Inconclusive');
    expect(code, 'nothing known is no success').to.equal(3);
  });

  it('runs the configured readings again before it blames any, so that a suite that breaks in between is flaky', async () => {
    folder.write('breaks.sh', suite('if [ -e passed ]; then echo "Error: it was there"; exit 1; fi\ntouch passed'));
    const { code, stderr } = await sensitivity('--jobs 1 --only unknown-user', 'breaks.sh');
    expect(code).to.equal(1);
    expect(stderr).to.match(/The suite is flaky: it passes 1 of 2 times under the same readings: exit code 1/);
  });

  /** What a suite may rely on and no gap covers, by the name of the variation. */
  const unshown: Readonly<Record<string, string>> = {
    'further-fields': '[^{]*"success":false,"messages":[^}]*}$',
    'message-text': 'bob',
    'message-list': '"messages":\\["[^"]*","[^"]*"\\]',
    charset: 'charset=UTF-8',
    headers: '^X-Fake-Rules',
  };
  const pushes = `
answer=$(curl -si -u admin:admin -H 'Content-Type: application/json' -d '{"users":["bob","alice"],"dashboards":[11100]}' \
  "$CWX_FAKE_URL/rest/cwx-ppf/latest/push")
has() { echo "$answer" | grep -q "$2" || { echo "Error: no $1"; exit 1; }; }
${Object.entries(unshown)
  .map(([name, pattern]) => `has ${name} '${pattern}'`)
  .join('\n')}`;
  const status = suite(`echo "$answer" | grep -q ' 404 ' || { echo 'Error: no status'; exit 1; }`);
  for (const [script, names] of [
    [pushes, Object.keys(unshown)],
    [status, ['status']],
  ] as const)
    it(`finds that a suite relies on ${names.join(', ')}, and on nothing else beside the readings`, async () => {
      folder.write('unshown.sh', script);
      const { code, stdout } = await sensitivity('--json --strict', 'unshown.sh');
      const { others } = JSON.parse(stdout) as {
        others: ReadonlyArray<{ name: string; outcome: string; excerpt: readonly string[] }>;
      };
      const failed = others.filter(({ outcome }) => outcome === 'fails');
      expect(failed.map(({ name, excerpt }) => [name, ...excerpt])).to.have.deep.members(
        names.map(name => [name, `Error: no ${name}`]),
      );
      expect(code).to.equal(1);
    });

  it('finds that a suite fails only under two readings at once', async () => {
    const edit = `curl -s -o /dev/null -w '%{http_code}' -X PUT -u admin:admin -H 'Content-Type: application/json' \\
  -d '{"users":["alice"],"groups":[]}' "$CWX_FAKE_URL/rest/cwxapiextension/latest/permissions/edit/abc"`;
    folder.write('pair.sh', `status=$(${edit})\n[ $status != 400 ] || { echo "Error: got $status"; exit 1; }`);
    const { stdout } = await sensitivity('', 'pair.sh');
    const both = 'page-id-format=any with unknown-page=400';
    expect(stdout).to.include(`! ${both} · the suite fails: exit code 1; it passes under each of these readings alone`);
    expect(stdout).to.include(`The suite fails under ${both}, but under none of these readings alone.`);
    expect(stdout).to.include('The suite relies on no gap: 5 gaps tried.');
  });

  it('shows the first failed assertion whole, up to ten lines', async () => {
    const assertion = [
      'Error: expected {',
      ...Array.from({ length: 7 }, (_, i) => `  "field${i}": ${i},`),
      `  "long": "${'b'.repeat(300)}"`,
      '} to equal 404',
    ];
    const long = `POST /${'a'.repeat(300)}?removeAdminPermissions=true`;
    const says = (...lines: string[]) =>
      suite(`[ $status = 404 ] || { cat <<'END'\n${lines.join('\n')}\nEND\nexit 1; }`);
    folder.write('long.sh', says(...assertion, long));
    const { stdout } = await sensitivity('--only unknown-user', 'long.sh');
    for (const line of assertion) expect(stdout).to.include(line.trim());
    expect(stdout).not.to.include(long);
  });

  it('stops everything on Ctrl-C and prints the results so far: 130', async () => {
    await built();
    const args = words('--jobs 1 --only unknown-user --only wiki-error-body', 'waits.sh');
    const { child, ended, stdout, says } = beginning(args, { cwd: folder.path });
    await says(/7 runs/);
    await until(() => existsSync(`${folder.path}/waiting`));
    child.kill('SIGINT');
    const { code } = await ended;
    expect(code).to.equal(130);
    expect(stdout())
      .to.match(
        /^– \S+ · Not run, because of the interruption\.\n(– .*\n){6}Interrupted after 0 of 7 runs\.\nNo reading was tried\./,
      )
      .and.not.include('✔');
  });
});
