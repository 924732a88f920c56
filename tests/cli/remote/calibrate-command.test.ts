// `cwx-fake calibrate` as a user starts it: its output and exit code; `serve --readings` accepts the result unchanged.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { gapIds } from '../../../server/operations/gaps/gaps.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import type { Launched } from '../../support/processes/command-line.js';
import { endAll, launch, run } from '../../support/processes/commands.js';

const chosen = {
  'wiki-prefix': 'rest',
  'wiki-auth': 'admin',
  'view-post': 'remove',
  'unknown-user': '400',
  'no-change': '409',
  'sidebar-duplicate': '409',
  'ppf-no-change': 'message',
  'ppf-effect': 'push-adds',
  'is-unique-answer': 'object',
};

/** The number of gaps minus these, as a calibration counts them. */
const allBut = (unknown: number) => `${gapIds.length - unknown} of ${gapIds.length} gaps`;

/** The lines of a readings file that are not comments. */
const readingsIn = (text: string) => text.split('\n').filter(line => line !== '' && !line.startsWith('#'));

const renamed = [
  'title: A world of other names',
  'world:',
  '  users:',
  '    boss: { password: secret, admin: true }',
  '    ann: { password: pass-of-ann }',
  '    bert: {}',
  '  groups: { nobody-yet: [], readers: [ann, bert] }',
  '  spaces:',
  '    HOME: { name: Home, admins: [boss] }',
  '    PLAN: { name: Plans, admins: [boss] }',
  '  pages:',
  '    "7": { space: HOME, title: Start, author: boss }',
  '    "8": { space: PLAN, title: Plan, body: "<p>To do</p>", author: boss }',
  '    "9": { space: PLAN, title: Template Guide, author: boss }',
  '  filters: { 1: { name: Mine, owner: boss, sharedWith: everyone } }',
  '  dashboards: { 3: { name: Secret, owner: ann, sharedWith: nobody } }',
].join('\n');
const map = [
  'users: { admin: boss, carol: ann, alice: bert }',
  'groups: { customers: nobody-yet }',
  'spaces: { ds: { key: HOME, name: Home }, tmpl: { key: PLAN, name: Plans } }',
  'pages: { "65601": { id: 7, title: Start }, "65701": { id: 8, title: Plan } }',
  'filters: { 10500: 1 }',
  'dashboards: { 11100: 3 }',
].join('\n');

describe('cwx-fake calibrate', function () {
  this.timeout(120_000);
  let folder: Scratch;
  beforeEach(() => {
    folder = scratch({ 'scenarios/renamed.yaml': renamed, 'names.yaml': map });
  });
  afterEach(async () => {
    await endAll();
    folder.drop();
  });

  const serving = (args: readonly string[] = [], scenario: readonly string[] = []): Promise<Launched> =>
    launch([...scenario, '--control', 'off', '--no-explain', ...args], { cwd: folder.path });
  const calibrating = (url: string, ...args: string[]) =>
    run(['calibrate', '--target', url, ...args], { cwd: folder.path });

  it('prints readings that serve --readings accepts, and a fake with them calibrates to the same', async () => {
    const fake = await serving(Object.entries(chosen).flatMap(([gap, value]) => ['--reading', `${gap}=${value}`]));
    const first = await calibrating(fake.url, '--yes');
    expect(first.code, first.stderr).to.equal(0);
    for (const [gap, reading] of Object.entries(chosen)) expect(first.stdout).to.include(`\n${gap}: ${reading}\n`);
    expect(first.stdout).to.match(
      new RegExp(`^# The readings of http:\\S+: ${allBut(5)} are known\\.\n# Found by cwx-fake \\d+\\.\\d+`),
    );
    expect(first.stdout.match(/^# .*: undetermined, .*$/gm)).to.have.length(5);
    folder.write('readings.yaml', first.stdout);
    const copy = await serving(['--readings', 'readings.yaml']);
    const second = await calibrating(copy.url, '--yes');
    expect(readingsIn(second.stdout)).to.deep.equal(readingsIn(first.stdout));
  });

  it('reports on standard error what it will change, each finding with its evidence, and what stays behind', async () => {
    const fake = await serving();
    const { stderr, stdout } = await calibrating(fake.url, '--yes');
    expect(stderr).to.match(/^This changes on http:.*:\n( {2}.*\n)+Run id: [A-Z0-9]{6}\.\n/);
    expect(stderr).to.include('  the members of the group customers: afterwards nobody, whoever is in it now\n');
    expect(stderr).to.match(/\n✔ unknown-page=404\n {4}.*: PUT \/rest\/\S+\/999999999999 answers 404, as under 404\n/);
    const [, run = ''] = /\nRun id: ([A-Z0-9]{6})\./.exec(stderr) ?? [];
    const spaces = ['CWX', 'CWXC', 'CWXE', 'CWXT'].map(key => `${key}${run}`);
    const ofTheirOwn = ['RO', 'RS', 'RT', 'TC', 'TE', 'TS'].map(end => `CWX${run}${end}`);
    expect(stderr).to.include(`\nLeft there: 10 spaces ${[...spaces, ...ofTheirOwn].sort().join(', ')}.\n`);
    expect(stderr).to.match(
      new RegExp(`\n✔ The readings of ${fake.url}: ${gapIds.length - 8} passed, 0 failed, 8 undetermined\n$`),
    );
    expect(stderr).to.not.include('Could not be undone');
    expect(stdout).to.not.include('eft there');
  });

  it("uses the server's names and the given users", async () => {
    const fake = await serving(['--reading', 'wiki-auth=admin', '--reading', 'replace-title-clash=allow'], ['renamed']);
    const named = ['--yes', '--map', 'names.yaml', '--as', 'boss:secret'];
    const both = await calibrating(fake.url, ...named, '--as', 'ann:pass-of-ann');
    expect(both.code, both.stderr).to.equal(0);
    expect(both.stdout).to.include('\nwiki-auth: admin\n').and.to.include('\nreplace-title-clash: allow\n');
    expect(both.stdout).to.include(`: ${allBut(8)} are known`);
    const one = await calibrating(fake.url, ...named);
    expect(one.stdout).to.include(
      '\n# wiki-auth: undetermined, between authenticated and admin: no password is known for ann, who stands for carol: give --as ann:password\n',
    );
  });

  it('changes nothing without consent', async () => {
    const fake = await serving();
    const ended = await calibrating(fake.url);
    expect(ended).to.deep.include({ code: 2, stdout: '' });
    expect(ended.stderr).to.include('nothing was changed: --yes says that it may be.\n');
    expect((await calibrating(fake.url, '--yes')).code).to.equal(0);
  });

  it('writes reports', async () => {
    const fake = await serving();
    await calibrating(fake.url, '--yes', '--report', 'junit=out/report.xml,md=out/report.md');
    expect(readFileSync(join(folder.path, 'out/report.xml'), 'utf8')).to.include('name="unknown-user=404"');
    expect(existsSync(join(folder.path, 'out/report.md'))).to.equal(true);
  });

  describe('cwx-fake calibrate against a server it cannot calibrate', () => {
    let other: Server;
    let url: string;
    let status: number;
    beforeEach(async () => {
      other = createServer((_, answer) => answer.writeHead(status).end('<!doctype html>'));
      await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    });
    afterEach(() => {
      other.close();
      other.closeAllConnections();
    });

    it('exits with 3 if it can determine nothing, and gives the reason for every gap', async () => {
      status = 200;
      const { code, stdout } = await calibrating(url, '--yes');
      expect([code, readingsIn(stdout)]).to.deep.equal([3, []]);
      expect(stdout).to.include(
        '# wiki-prefix: undetermined, it answers 200 at paths at which there is nothing, too\n',
      );
    });

    it('exits with 4 if the API is not there, and suggests a missing context path', async () => {
      status = 404;
      const ended = await calibrating(url, '--yes');
      expect(ended).to.deep.include({ code: 4, stdout: '' });
      expect(ended.stderr).to.include(
        `${url} answers 404 to everything: if the server has a context path, it belongs into the URL, as in ${url}/wiki\n`,
      );
    });

    it('exits with 4 if the server does not answer', async () => {
      other.close();
      const ended = await calibrating(url, '--yes');
      expect(ended).to.deep.include({ code: 4, stdout: '' });
      expect(ended.stderr).to.include(`${url} does not answer: the connection is refused\n`);
    });
  });

  for (const [args, message] of [
    [[], '--target is missing: give the URL of the server to ask, such as http://127.0.0.1:8080'],
    [['--target', 'nonsense'], '--target is "nonsense": it must be a URL'],
    [['--target', 'http://127.0.0.1:1', '--as', 'admin'], '--as: write user:password'],
    [['--target', 'http://127.0.0.1:1', '--map', 'none.yaml'], 'none.yaml'],
  ] as const) {
    it(`exits with 2 on wrong usage: ${args.join(' ')}`, async () => {
      const ended = await run(['calibrate', ...args], { cwd: folder.path });
      expect(ended).to.deep.include({ code: 2, stdout: '' });
      expect(ended.stderr).to.include(message);
    });
  }
});
