// `cwx-fake conform` as a user starts it: its output, its exit code and what it leaves behind.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { DEFAULT_SANDBOX } from '../../../server/engine/sandbox/session.js';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { silent } from '../../support/other-servers/outside.js';
import { built } from '../../support/processes/built.js';
import { beginning, endAll } from '../../support/processes/command-line.js';
import { run } from '../../support/processes/commands.js';
import { serving } from '../../support/wire/server.js';

/** A world with other names, and the map from the fixture's names to them. */
const renamed = [
  'title: A world of other names',
  'world:',
  '  users:',
  '    boss: { password: secret, admin: true }',
  '    ann: { password: pass-of-ann }',
  '    bert: {}',
  '  groups: { sandbox: [bert] }',
  '  spaces: { PLAN: { name: Plans, admins: [boss] } }',
  '  pages: { "8": { space: PLAN, title: Plan Home, body: "<p>Project NAME starts here. NAME!</p>", author: boss } }',
  '  filters: { 1: { name: Mine, owner: boss, sharedWith: everyone } }',
  '  dashboards: { 3: { name: Secret, owner: ann, sharedWith: nobody } }',
].join('\n');
const map = [
  'users: { carol: ann, alice: bert }',
  'groups: { customers: sandbox }',
  'spaces: { tmpl: { key: PLAN, name: Plans } }',
  'pages: { "65701": { id: 8, title: Plan Home } }',
  'filters: { 10500: 1 }',
  'dashboards: { 11100: 3 }',
].join('\n');

const worldOf = async ({ session }: Running) => {
  const sandbox = await session.open(DEFAULT_SANDBOX);
  if (sandbox === undefined) throw new Error('the fake has no sandbox');
  return formOf(sandbox.state.world);
};

describe('cwx-fake conform', function () {
  this.timeout(120_000);
  let folder: Scratch;
  const open: Array<() => Promise<void>> = [];
  before(built);
  beforeEach(() => {
    folder = scratch({ 'scenarios/renamed.yaml': renamed, 'names.yaml': map });
  });
  afterEach(async () => {
    endAll();
    for (const close of open.splice(0)) await close();
    folder.drop();
  });

  const fake = async (flags = {}, scenario?: string) => {
    const running = await serving(scenario, { ...silent, ...flags });
    open.push(() => running.stop());
    return running;
  };
  /** A server that is not a fake. */
  const other = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    open.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, so it is not a pipe
  };

  it('gives a verdict for each rule, and exits with 0 if nothing contradicts', async () => {
    const { url } = await fake({ reading: ['no-change=409'] });
    const { code, stdout, stderr } = await run(['conform', '--target', url, '--yes']);
    expect(code, stderr).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, -1).filter(line => !/^[✔–] [a-z]+\.[a-z-]+/.test(line))).to.deep.equal([]);
    expect(lines).to.have.length(43);
    expect(lines.at(-1)).to.match(/^✔ The rules of the document on http:\S+: \d+ passed, 0 failed, \d+ undetermined$/);
    expect(stdout).to.match(/^✔ permissions\.edit-add · seen through the host's own resources$/m);
    expect(stdout).to.match(
      /^– ppf\.licensed-only · it takes a server where "The licence has run out.*" holds; here the status is 200, not 403$/m,
    );
    expect(stderr).to.match(new RegExp(`^This changes on ${url}:\n`));
    expect(stderr).to.match(/^Run id: [A-Z][A-Z0-9]{5}\.$/m);
    expect(stderr).to.match(/^Readings found: .*no-change=409/m);
    expect(stderr).to.match(/^Left there: \d+ spaces /m);
    expect(stdout).not.to.include('\u001b');
  });

  it('plays only the checks of the selected rules, and writes reports', async () => {
    const { url } = await fake();
    const reports = ['junit=out/a.xml', 'ctrf=out/a.json', 'md=out/a.md', 'github'].join();
    const args = ['conform', '--target', url, '--yes', '--only', 'groups.*', '--only', 'ppf.licensed-only'];
    const { code, stdout } = await run([...args, '--report', reports], { cwd: folder.path });
    expect(code).to.equal(0);
    expect(stdout).to.include(': 4 passed, 0 failed, 1 undetermined\n');
    const xml = readFileSync(join(folder.path, 'out/a.xml'), 'utf8');
    expect(xml.match(/<testcase /g)).to.have.length(5);
    expect(xml).to.include('<skipped message="it takes a server where &quot;The licence has run out');
    const { results } = JSON.parse(readFileSync(join(folder.path, 'out/a.json'), 'utf8'));
    expect(results.summary).to.include({ tests: 5, passed: 4, failed: 0, skipped: 1 });
    expect(existsSync(join(folder.path, 'out/a.md'))).to.equal(true);
  });

  it('shows the evidence of a contradiction, and exits with 1', async () => {
    const url = await other((_, response) => response.setHeader('Content-Type', 'application/json').end('{}'));
    const { code, stdout } = await run(['conform', '--target', url, '--yes', '--only', 'ppf.needs-recipient']);
    expect(code).to.equal(1);
    const [line = '', ...evidence] = stdout.split('\n');
    expect(line).to.match(/^✘ ppf\.needs-recipient · .*: status is 200, not 400$/);
    const text = evidence.join('\n');
    expect(text).to.match(/^ {4}at +.*scenarios\/rules\/ppf\.needs-recipient\.yaml:\d+$/m);
    expect(text).to.match(/^ {4}asked +POST \/rest\/cwx-ppf\/latest\/push$/m);
    expect(text).to.match(/^ {4}answered +200 OK$/m);
    expect(text).to.match(/^ {4}differs +status is 200, not 400$/m);
    expect(text).to.match(/^ {4}again +curl /m);
    expect(stdout).to.include(': 0 passed, 1 failed, 0 undetermined\n');
  });

  it('deletes the report of an earlier run if it ends without results: invalid flags, or no server', async () => {
    const gone = await other(() => {});
    await open.pop()?.();
    const trials = [
      [2, ['--targt', gone], 'unknown flag --targt'],
      [2, ['--yes'], 'The run has not ended, or it has ended without results'],
      [4, ['--target', gone, '--yes'], 'The run has not ended, or it has ended without results'],
    ] as const;
    for (const [expected, args, reason] of trials) {
      writeFileSync(join(folder.path, 'old.xml'), '<testsuites/>');
      const { code } = await run(['conform', ...args, '--report', 'junit=old.xml,md=none.md'], { cwd: folder.path });
      expect(code, args.join()).to.equal(expected);
      const xml = readFileSync(join(folder.path, 'old.xml'), 'utf8');
      expect(xml).to.include('<failure').and.to.include(reason);
    }
    expect(existsSync(join(folder.path, 'none.md'))).to.equal(false);
  });

  it('uses colours if they are forced or it writes to a terminal', async () => {
    const { url } = await fake();
    const { stdout } = await run(['conform', '--target', url, '--yes', '--only', 'groups.body'], {
      env: { FORCE_COLOR: '1' },
    });
    expect(stdout.startsWith('\u001b[32m✔\u001b[39m groups.body')).to.equal(true);
  });

  it('exits with 3 if every verdict is open', async () => {
    const { url } = await fake();
    const { code, stdout } = await run(['conform', '--target', url, '--yes', '--only', 'ppf.licensed-only']);
    expect(code).to.equal(3);
    expect(stdout).to.match(/\n– .*: 0 passed, 0 failed, 1 undetermined\n$/);
  });

  it('changes nothing without a terminal to ask on, and exits with 2', async () => {
    const running = await fake();
    const before = await worldOf(running);
    const { code, stdout, stderr } = await run(['conform', '--target', running.url, '--only', 'groups.*']);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.include('the members of the group customers');
    expect(stderr).to.match(/There is no terminal to ask on, so nothing was changed: --yes says that it may be\.\n$/);
    expect(await worldOf(running)).to.deep.equal(before);
  });

  it('exits with 4 if the server does not answer or has neither API', async () => {
    const gone = await run(['conform', '--target', 'http://127.0.0.1:1', '--yes', '--only', 'groups.*']);
    expect(gone).to.deep.include({ code: 4, stdout: '' });
    expect(gone.stderr).to.equal('http://127.0.0.1:1 does not answer: the connection is refused\n');
    const url = await other((_, response) => response.writeHead(404).end());
    const elsewhere = await run(['conform', '--target', url, '--yes', '--only', 'groups.*']);
    expect([elsewhere.code, elsewhere.stdout]).to.deep.equal([4, '']);
    expect(elsewhere.stderr).to.include('answers 404 to everything');
  });

  it('takes names from a map and passwords from --as', async () => {
    const running = await fake({}, join(folder.path, 'scenarios/renamed.yaml'));
    const names = ['--map', join(folder.path, 'names.yaml'), '--as', 'boss:secret'];
    const { code, stdout, stderr } = await run(['conform', '--target', running.url, '--yes', ...names]);
    expect(code, stdout + stderr).to.equal(0);
    expect(stderr).to.include('the members of the group sandbox: afterwards nobody, whoever is in it now');
    expect(stdout).to.match(/^✔ groups\.add-users$/m);
    expect(stdout).to.match(/^✔ spaces\.replace-title$/m);
    expect(stdout).to.match(/^✔ ppf\.failure-message$/m);
    expect(stdout).to.match(/^– permissions\.edit-remove · the map names no page "65601"$/m);
    expect(stdout).to.match(
      /^– ppf\.admin-only · no password is known for ann, who stands for carol: give --as ann:password$/m,
    );
    expect((await worldOf(running)).groups.sandbox).to.deep.equal([]);
  });

  it('reports all invalid input at once', async () => {
    folder.write('typo.yaml', 'users: { alise: jdoe }\ngrups: {}\n');
    const { code, stderr } = await run(['conform', '--map', 'typo.yaml'], { cwd: folder.path });
    expect(code).to.equal(2);
    expect(stderr.split('\n')).to.deep.equal([
      'cwx-fake conform: --target is missing: give the URL of the server to ask, such as http://127.0.0.1:8080',
      'cwx-fake conform: typo.yaml:1:10: In the fixture: There is no user "alise" (did you mean "alice"?): there are admin, alice, carol, demouser1, demouser2.',
      'cwx-fake conform: typo.yaml:2:1: Unknown key "grups" (did you mean "groups"?): allowed are users, groups, spaces, pages, filters, dashboards.',
      '',
    ]);
    for (const [args, message] of [
      [['--only', 'ppf.puhs'], '--only is "ppf.puhs": there is no rule "ppf.puhs" (did you mean "ppf.push"?)'],
      [['--only', 'pdf.*'], '--only is "pdf.*": there is no rule "pdf.*" (did you mean "ppf.*"?)'],
      [['--as', 'admin'], '--as: write user:password'],
      [['--target', 'localhost'], '--target is "localhost": it must be a URL such as http://127.0.0.1:8080'],
      [['--report', 'junitt=a'], '--report is "junitt=a": There is no report "junitt" (did you mean "junit"?)'],
    ] as const) {
      const ended = await run(['conform', ...args]);
      expect(ended.code, args.join(' ')).to.equal(2);
      expect(ended.stderr).to.include(`cwx-fake conform: ${message}`);
    }
  });

  it('undoes its changes when interrupted', async () => {
    const running = await fake();
    const before = await worldOf(running);
    let asked = 0;
    const begun = beginning(['conform', '--target', await slowed(running.url), '--yes', '--only', 'groups.*']);
    await begun.says(/Run id/);
    while (asked < 80) await new Promise(resolve => setTimeout(resolve, 5));
    begun.child.kill('SIGINT');
    const { code, stderr } = await begun.ended;
    expect(asked).to.be.above(0);
    expect(code, stderr).to.equal(3);
    expect(stderr).to.include('Interrupted: what was changed is put back.');
    const { groups, favourites } = await worldOf(running);
    expect({ groups, favourites }).to.deep.equal({ groups: before.groups, favourites: before.favourites });

    /** The same server, with each response delayed a little. */
    function slowed(url: string): Promise<string> {
      return other(async (request, response) => {
        asked += 1;
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        await new Promise(resolve => setTimeout(resolve, 5));
        const { host: _, connection: __, ...headers } = request.headers;
        const body = Buffer.concat(chunks);
        const answer = await fetch(`${url}${request.url}`, {
          method: request.method ?? 'GET',
          headers: headers as Record<string, string>, // no header of these requests is repeated
          ...(body.length > 0 && { body }),
        });
        response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    }
  });
});
