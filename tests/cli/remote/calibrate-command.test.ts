// `cwx-fake calibrate` as a user starts it: its output and exit code; `serve --readings` accepts the result unchanged.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { gapIds } from '../../../server/operations/gaps/gaps.js';
import { useScratch } from '../../support/files/scratch.js';
import { interposed } from '../../support/other-servers/interposed.js';
import type { Launched } from '../../support/processes/command-line.js';
import { endAll, launch, run } from '../../support/processes/commands.js';
import { send } from '../../support/wire/server.js';

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

describe('cwx-fake calibrate', () => {
  afterEach(endAll);
  const folder = useScratch({ 'scenarios/renamed.yaml': renamed, 'names.yaml': map });

  const serving = (args: readonly string[] = [], scenario: readonly string[] = []): Promise<Launched> =>
    launch([...scenario, '--control', 'off', '--no-explain', ...args], { cwd: folder.path });
  const calibrating = (url: string, ...args: string[]) =>
    run(['calibrate', '--target', url, ...args], { cwd: folder.path });

  it('shows its plan and its findings, and prints readings that serve --readings follows', async () => {
    const fake = await serving(Object.entries(chosen).flatMap(([gap, value]) => ['--reading', `${gap}=${value}`]));
    const first = await calibrating(fake.url, '--yes', '--report', 'junit=report.xml,md=report.md');
    expect(first.code, first.stderr).to.equal(0);
    for (const [gap, reading] of Object.entries(chosen)) expect(first.stdout).to.include(`\n${gap}: ${reading}\n`);
    const known = readingsIn(first.stdout).length - 1; // and the profile
    const open = gapIds.length - known;
    expect(first.stdout).to.match(
      new RegExp(`^# The readings of http:\\S+: found for ${known} of ${gapIds.length} gaps\\.`),
    );
    expect(first.stdout.match(/^# .*: undetermined, .*$/gm)).to.have.length(open);
    expect(first.stderr)
      .to.match(/^This run against http:.*:\n( {2}.*\n)+/)
      .and.to.match(/\n✔ unknown-page=404\n {4}.*: PUT \/rest\/\S+\/999999999999 responds with 404\b.*\n/)
      .and.to.match(new RegExp(`: ${known} passed, 0 failed, ${open} undetermined\n$`))
      .and.to.not.match(/Not restored|█/);
    expect(/^Spaces left on the server: (.*)\.$/m.exec(first.stderr)?.[1]?.split(', ')).to.have.length.within(1, 4);
    expect(readFileSync(join(folder.path, 'report.xml'), 'utf8')).to.include('name="unknown-user=400"');
    expect(existsSync(join(folder.path, 'report.md'))).to.equal(true);
    folder.write('readings.yaml', first.stdout);
    const { url } = await launch(['--readings', 'readings.yaml'], { cwd: folder.path });
    expect((await send(`${url}/_fake/v1/sandboxes/default/readings`)).json).to.include(chosen);
  });

  it("uses the server's names and the given users", async () => {
    const fake = await serving(['--reading', 'wiki-auth=admin', '--reading', 'replace-title-clash=allow'], ['renamed']);
    const users = ['--as', 'boss:secret', '--as', 'ann:pass-of-ann'];
    const { code, stdout, stderr } = await calibrating(fake.url, '--yes', '--map', 'names.yaml', ...users);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('\nwiki-auth: admin\n').and.to.include('\nreplace-title-clash: allow\n');
  });

  it('exits with 3 if it finds nothing, with a reason for each gap', async () => {
    const { url, stop } = await interposed('', (_, response) => {
      response.end('<!doctype html>');
      return true;
    });
    const { code, stdout } = await calibrating(url, '--yes');
    await stop();
    expect(code).to.equal(3);
    expect(readingsIn(stdout)).to.deep.equal([]);
    expect(stdout.match(/^# .*: undetermined, .+$/gm)).to.have.length(gapIds.length);
  });
});
