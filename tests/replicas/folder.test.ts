// A server on a folder that is locked, damaged or full reports it; it resumes with what it kept, even if it was killed (tests/proof kills it more
// often).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { built } from '../support/processes/built.js';
import { endAll, type Launched, launch, run } from '../support/processes/command-line.js';
import { send } from '../support/wire/server.js';
import { until } from '../support/worlds/until.js';
import { at, flagsOn, groupsOf, make } from './folder-server.js';
import { testKills } from './killed-on-folder.js';

testKills(2);

describe('a server that keeps its sandboxes in a folder', function () {
  this.timeout(120_000);
  let folder: Scratch;
  before(built);
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => {
    endAll();
    folder.drop();
  });
  const flags = () => flagsOn(folder);
  let count = 0;
  /** Creates another group. */
  const makeNext = (server: Launched, sandbox: string, more = '') => {
    count += 1;
    return make(server, sandbox, `g${count}${more}`);
  };

  it('keeps `default`, whatever scenario it is started with, and reports it', async () => {
    const first = await launch(flags());
    await makeNext(first, 'default');
    await first.signal('SIGTERM');
    const second = await launch(['unlicensed', ...flags()]);
    expect(await groupsOf(second, 'default')).to.have.property(`g${count}`);
    expect(await at(second, 'default')).to.include({ scenario: 'small-team', version: 1 });
    await makeNext(second, 'new');
    expect(await at(second, 'new')).to.include({ scenario: 'unlicensed' });
    expect((await second.signal('SIGTERM')).code).to.equal(0);
  });

  it('locks the folder: a second server exits with code 2', async () => {
    const first = await launch(flags());
    const { code, stdout, stderr } = await run(['serve', '--port', '0', ...flags()]);
    expect(stderr).to.match(
      /^The folder .*kept is in use by process \d+: stop that process, or choose another folder$/m,
    );
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    await makeNext(first, 'one');
    await first.signal('SIGKILL');
    const next = await launch(flags());
    expect(await groupsOf(next, 'one')).to.have.property(`g${count}`);
  });

  it('reports a damaged sandbox at the start, refuses its requests, and serves the others', async () => {
    const first = await launch(flags());
    for (let i = 0; i < 5; i += 1) await makeNext(first, 'one');
    await first.signal('SIGKILL');
    const place = join(folder.path, 'kept', 'leveldb');
    const log = readdirSync(place).find(file => file.endsWith('.log')) ?? expect.fail('there is no log');
    const bytes = readFileSync(join(place, log));
    const at = bytes.length - 10; // in the last change, of sandbox one
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(place, log), bytes);
    const second = await launch([...flags().slice(0, -2), '--log', 'json']);
    expect(second.stderr()).to.contain('Sandbox one is damaged: ');
    const refused = await make(second, 'one', 'more');
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal(null);
    expect(refused.text).to.contain('Sandbox one is damaged: its latest changes cannot be read.');
    expect((await makeNext(second, 'default')).status).to.equal(200);
    const sandbox = `${second.url}/_fake/v1/sandboxes/one`;
    expect((await fetch(sandbox, { method: 'DELETE' })).status).to.equal(204);
    expect((await makeNext(second, 'one')).status).to.equal(200);
  });

  it('answers 507 without disk space, reports it in health, loses nothing, and resumes by itself', async () => {
    const server = await launch(flags(), { shell: 'ulimit -f 128' }); // blocks of 512 bytes
    const made: string[] = [];
    for (;;) {
      const { status, group, headers, text } = await makeNext(server, 'one', 'x'.repeat(1000));
      if (status === 200) made.push(group);
      else {
        expect(status).to.equal(507);
        expect(headers.get('retry-after')).to.equal('1');
        expect((JSON.parse(text) as { message: string }).message).to.match(
          /^The disk of .* is full, .*file too large/i,
        );
        break;
      }
    }
    expect(made.length).to.be.above(3);
    const { [`g${count}${'x'.repeat(1000)}`]: refused, ...groups } = await groupsOf(server, 'one');
    expect(refused).to.equal(undefined);
    expect(Object.keys(groups)).to.include.members(made);
    const health = () => send(`${server.url}/_fake/health`);
    await until(async () => {
      await makeNext(server, 'one', 'x'.repeat(1000));
      const { status, text } = await health();
      return status === 503 && /file too large/i.test(text);
    });
    await until(async () => (await makeNext(server, 'two')).status === 200);
    await until(async () => (await health()).status === 200);
    await server.signal('SIGTERM');
    const next = await launch(flags());
    expect(Object.keys(await groupsOf(next, 'one'))).to.include.members(made);
    expect((await makeNext(next, 'one')).status, 'where there is room again').to.equal(200);
  });
});
