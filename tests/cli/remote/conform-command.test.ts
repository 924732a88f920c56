// `cwx-fake conform` as a user runs it: output, exit codes, reports, and what it leaves on the server.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { DEFAULT_SANDBOX } from '../../../server/engine/sandbox/state.js';
import { rules } from '../../../server/operations/catalog/catalog.js';
import type { Running } from '../../../server/process/start.js';
import { useScratch } from '../../support/files/scratch.js';
import { type Interference, interposed } from '../../support/other-servers/interposed.js';
import { silent } from '../../support/other-servers/outside.js';
import { begin, refusalOf, run } from '../../support/processes/commands.js';
import { useClosing } from '../../support/wire/closing.js';
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
  const { groups, favourites, pages } = formOf((await session.open(DEFAULT_SANDBOX))?.state.world as never);
  return { groups, favourites, pages: { '65601': pages['65601'], '65701': pages['65701'], '8': pages['8'] } };
};

describe('cwx-fake conform', () => {
  const open = useClosing();
  const folder = useScratch({ 'scenarios/renamed.yaml': renamed, 'names.yaml': map });

  const fake = async (flags = {}, scenario?: string) => {
    const running = await serving(scenario, { ...silent, ...flags });
    open.push(() => running.stop());
    return running;
  };
  const proxied = async (target: string, interfere: Interference): Promise<string> => {
    const { url, stop } = await interposed(target, interfere);
    open.push(stop);
    return url;
  };
  const conform = (url: string, ...args: readonly string[]) =>
    run(['conform', '--target', url, '--patience', '0', ...args], { cwd: folder.path });
  /** A server on which no user is ever removed from a group, though it says so. */
  const faulty = async (flags = {}) => {
    const { url } = await fake(flags);
    return proxied(url, ({ url: path = '' }, response) => {
      const isMeant = path.includes('groups/remove-users');
      if (isMeant) response.setHeader('Content-Type', 'application/json').end('{}');
      return isMeant;
    });
  };

  it('exits with 0 if nothing contradicts, and restores the server except for four spaces', async () => {
    const running = await fake();
    const world = await worldOf(running);
    const { code, stdout, stderr } = await conform(running.url, '--yes');
    expect(code, stdout).to.equal(0);
    expect(stdout.match(/^[✔–✘] [a-z]+\.[a-z-]+/gm)).to.have.length(Object.keys(rules).length);
    expect(stdout).to.match(/: \d+ passed, 0 failed, \d+ undetermined\n$/);
    expect(stdout + stderr)
      .not.to.include('\u001b')
      .and.not.include('█');
    expect(stderr).not.to.include('Undetermined');
    expect(await worldOf(running)).to.deep.equal(world);
    expect(/^Spaces left on the server: (.*)\.$/m.exec(stderr)?.[1]?.split(', ')).to.have.length.within(1, 4);
  });

  it('exits with 1 on a contradiction, shows all of its evidence only with --verbose, and writes reports with all', async () => {
    const url = await faulty();
    folder.write('out/.keep', '');
    const selected = ['groups.body', 'groups.remove-users', 'ppf.licensed-only'];
    const args = ['--yes', ...selected.flatMap(rule => ['--only', rule])];
    const report = ['--report', 'junit=out/a.xml,ctrf=out/a.json,md=out/a.md,github'];
    const { code, stdout } = await conform(url, ...args, ...report);
    expect(code).to.equal(1);
    expect(stdout.match(/^✘ \S+ · .*/gm)).to.have.length(1);
    expect(stdout).to.match(/^✘ groups\.remove-users · behaves like a server that /m);
    const evidenceIn = (text: string) => /^✘ .*\n((?: {4}.*\n)+)/m.exec(text)?.[1] ?? '';
    const evidence = evidenceIn(stdout);
    expect(evidence)
      .to.match(/^ {4}curl /m)
      .and.to.match(/^ {4}response /m)
      .and.to.match(/^ {4}differs /m);
    expect(evidence.split('\n').length).to.be.at.most(12);
    const verbose = evidenceIn((await conform(url, ...args, '--verbose')).stdout);
    expect(verbose.length).to.be.above(evidence.length);
    expect(stdout).to.match(/^::error .*groups\.remove-users/m);
    const read = (name: string) => readFileSync(join(folder.path, 'out', name), 'utf8');
    expect(read('a.xml').match(/<testcase /g)).to.have.length(selected.length);
    expect(JSON.parse(read('a.json')).results.summary).to.include({ tests: selected.length, failed: 1 });
    expect(read('a.md')).to.include('groups.remove-users');
    expect(read('a.xml').match(/curl/g)?.length).to.be.above(1);
  });

  it('exits with 2 and changes nothing without consent', async () => {
    const running = await fake();
    const world = await worldOf(running);
    expect(await refusalOf(conform(running.url, '--only', 'groups.*'))).to.match(
      /^ {4}members of groups: customers, /m,
    );
    expect(await worldOf(running)).to.deep.equal(world);
  });

  it('exits with 3 if every verdict is open, with 4 if the server does not respond or has neither API', async () => {
    const { url } = await fake();
    expect((await conform(url, '--yes', '--only', 'ppf.licensed-only')).code).to.equal(3);
    const nothing = await proxied('', (_, response) => {
      response.writeHead(404).end();
      return true;
    });
    expect(await refusalOf(conform(nothing, '--yes'), 4), 'a missing context path').to.include(`${nothing}/wiki`);
    writeFileSync(join(folder.path, 'old.xml'), '<testsuites/>');
    await refusalOf(conform('http://127.0.0.1:1', '--yes', '--report', 'junit=old.xml,md=none.md'), 4);
    expect(readFileSync(join(folder.path, 'old.xml'), 'utf8'), 'of an earlier run').to.include('<failure');
    expect(existsSync(join(folder.path, 'none.md'))).to.equal(false);
    await refusalOf(run(['conform', '--targt', 'x', '--report', 'junit=old.xml'], { cwd: folder.path }));
    expect(readFileSync(join(folder.path, 'old.xml'), 'utf8'), 'of wrong usage').to.match(/<failure[\s\S]*--targt/);
  });

  it('prints requests that run as printed below a context path', async () => {
    const target = await faulty({ reading: ['context-path=/wiki'] });
    const { stdout } = await conform(`${target}/wiki`, '--yes', '--only', 'groups.remove-users');
    const [command = ''] = /^ {4}curl (?:.*\\\n)*.*/m.exec(stdout) ?? [];
    expect(command).to.match(/:\d+\/wiki\/rest\/cwxapiextension\/latest\/groups/);
    const curl = spawn('sh', ['-c', command], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] }); // no terminal: it reads the password here
    curl.stdin.end('admin\n');
    expect(await text(curl.stdout)).to.match(/^HTTP\/1\.1 200 /);
  });

  it('uses colours and a progress bar only in a terminal', async () => {
    const { url } = await fake();
    const args = ['conform', '--target', url, '--yes', '--only', 'groups.body'];
    const { stdout, stderr, ended: end } = begin(args, { columns: 80, env: { FORCE_COLOR: '1' } });
    Object.assign(stderr, { isTTY: true, columns: 80 });
    await end;
    expect(stdout.text).to.include('\u001b[32m✔\u001b[39m groups.body');
    expect(stderr.text).to.match(/[█░]+ \d+ of \d+ groups\.body/);
  });

  it('uses the names of a map and the passwords of --as', async () => {
    const running = await fake({}, join(folder.path, 'scenarios/renamed.yaml'));
    const world = await worldOf(running);
    const args = ['--yes', '--map', 'names.yaml', '--as', 'boss:secret'];
    const { code, stdout, stderr } = await conform(running.url, ...args);
    expect(code, stdout + stderr).to.equal(3);
    expect(stderr).to.match(/^Undetermined although a sound server would show them: \d+ rules\. /m);
    const allowing = [...args, '--allow-undetermined', '--only', 'permissions.body', '--only', 'groups.body'];
    expect((await conform(running.url, ...allowing)).code).to.equal(0);
    expect(stderr).to.match(/^ {4}members of groups: sandbox$/m);
    expect(stdout)
      .to.match(/^✔ groups\.body$/m)
      .and.to.match(/^✔ ppf\.failure-message$/m);
    expect(stdout).to.match(/^– permissions\.body · the map has no page "65601"$/m);
    expect(stdout).to.match(/^– ppf\.admin-only · .*--as ann:password/m);
    expect(await worldOf(running)).to.deep.equal(world);
  });

  it('proposes a map that works, says what is missing, and changes nothing', async () => {
    const running = await fake({}, join(folder.path, 'scenarios/renamed.yaml'));
    const world = await worldOf(running);
    const known = ['--as', 'boss:secret', '--as', 'ann:pass-of-ann'];
    const { stderr, code } = await conform(running.url, ...known, '--write-map', 'new.yaml');
    expect(code, stderr).to.equal(0);
    expect(await worldOf(running)).to.deep.equal(world);
    const text = readFileSync(join(folder.path, 'new.yaml'), 'utf8');
    expect(text)
      .to.match(/^ {2}carol: "ann" # a user who is not an admin /m)
      .and.to.match(/^ {2}team-members: "sandbox" # /m)
      .and.to.match(/^ {2}tmpl: \{"key":"PLAN","name":"Plans"\} # has exactly one page/m)
      .and.to.match(/^ {2}"65701": \{"id":"8","title":"Plan Home"\} # the page of PLAN/m)
      .and.to.match(/^ {2}"11100": 3 # Secret: a dashboard that only /m)
      .and.to.match(/^# missing for spaces ds: a space with exactly one page, such as DS with a page "Welcome"$/m);
    expect(stderr).to.match(/^missing for users alice: a test user; name it with --as/m);
    const args = ['--yes', ...known, '--map', 'new.yaml', '--only', 'groups.*'];
    expect((await conform(running.url, ...args)).stdout).to.match(/^✔ groups\.body$/m);
    expect(await refusalOf(conform(running.url, ...known, '--write-map', 'new.yaml'))).to.include('the file exists');
  });

  it('changes what cannot be read only with --accept-loss', async () => {
    const { url } = await fake();
    const changed: string[] = [];
    const target = await proxied(url, ({ url: path = '', method }, response) => {
      if (method !== 'GET' && path.includes('groups/')) changed.push(path);
      const isHidden = /\/rest\/api\/(?!cwx)/.test(path);
      if (isHidden) response.writeHead(404).end();
      return isHidden;
    });
    const skipped = await conform(target, '--yes', '--only', 'groups.set-users');
    expect(skipped.code).to.equal(3);
    expect(skipped.stderr).to.include('--accept-loss');
    expect(changed).to.deep.equal([]);
    await conform(target, '--yes', '--accept-loss', '--only', 'groups.set-users');
    expect(changed).to.not.deep.equal([]);
  });

  it('restores everything after Ctrl-C', async () => {
    const running = await fake();
    const world = await worldOf(running);
    let changes = 0;
    const stop = () => begun.signals.emit('SIGINT', 'SIGINT');
    const target = await proxied(running.url, ({ url = '' }) => {
      if (url.includes('groups/add-users') && ++changes === 3) stop();
      return false;
    });
    const begun = begin(['conform', '--target', target, '--yes', '--only', 'groups.*']);
    const { code } = await begun.ended;
    expect(changes).to.be.above(2);
    expect(code).to.equal(130);
    expect(await worldOf(running)).to.deep.equal(world);
  });

  it('stops reading at Ctrl-C', async () => {
    let reads = 0;
    const target = await proxied((await fake()).url, () => {
      if (++reads === 6) begun.signals.emit('SIGINT', 'SIGINT');
      return false;
    });
    const begun = begin(['conform', '--target', target, '--yes']);
    expect((await begun.ended).code).to.equal(130);
    expect(reads).to.be.below(12); // those that were sent together
  });

  it('reports all invalid input', async () => {
    folder.write('typo.yaml', 'users: { alise: jdoe }\ngrups: {}\n');
    expect(await refusalOf(run(['conform', '--map', 'typo.yaml'], { cwd: folder.path })))
      .to.include('--target')
      .and.to.match(/typo\.yaml:1:10: .*did you mean "alice"\?[\s\S]*typo\.yaml:2:1: Unknown key "grups"/);
    for (const [args, message] of [
      [['--only', 'ppf.puhs'], 'did you mean "ppf.push"?'],
      [['--only', 'pdf.*'], 'did you mean "ppf.*"?'],
      [['--as', 'admin'], '--as'],
      [['--target', 'localhost'], '--target cannot be "localhost"'],
      [['--target', 'http://a', '--wiki', 'http://b'], '--target cannot be used with --wiki and --tracker'],
      [['--wiki', 'http://b', '--header', 'Authorization Bearer'], "'Name: value'"],
      [['--report', 'junitt=a'], 'did you mean "junit"?'],
    ] as const) {
      expect(await refusalOf(run(['conform', ...args]))).to.include(message);
    }
  });
});
