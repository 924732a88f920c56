// A server on a folder: killed at random moments under load it has every answer that it gave; it refuses a folder that another has, that is
// damaged or that has no room, in words; and it goes on with what it has kept.
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { JournalEntry } from '../../server/engine/journal-entry.js';
import { built } from '../support/built.js';
import { endAll, type Launched, launch, run } from '../support/command-line.js';
import { type Scratch, scratch } from '../support/scratch.js';

const ROUNDS = 30;
const SANDBOXES = ['one', 'two'];

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
  const flags = () => [
    ...['--store', `file:${folder.path}/kept`, '--reading', 'unknown-group=create', '--journal', '1000000'],
    ...['--log', 'silent'],
  ];

  let count = 0;
  /** Makes a group; gives its name and the id of the entry, or the status that it did not get. */
  const make = async ({ url }: Launched, sandbox: string, more = '') => {
    count += 1;
    const group = `g${count}${more}`;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ group, users: ['alice'] }),
    };
    const answer = await fetch(`${url}/~${sandbox}/rest/cwxapiextension/latest/groups/add-users`, init);
    const text = await answer.text();
    const id = Number(answer.headers.get('x-request-id')?.split('.')[1]);
    return { status: answer.status, group, id, text, headers: answer.headers };
  };
  const at = async ({ url }: Launched, path: string) => {
    const answer = await fetch(`${url}/_fake/v1/sandboxes/${path}`);
    expect(answer.status).to.equal(200);
    return answer.json();
  };
  const groupsOf = async (server: Launched, sandbox: string) =>
    ((await at(server, `${sandbox}/world`)) as { groups: Record<string, string[]> }).groups;

  it(`has all that it answered after each of ${ROUNDS} kills`, async () => {
    const acknowledged = new Map(SANDBOXES.map(name => [name, new Map<string, number>()]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      const server = await launch(flags());
      for (const [sandbox, made] of acknowledged) {
        if (made.size === 0) continue;
        const groups = await groupsOf(server, sandbox);
        const { entries } = (await at(server, `${sandbox}/journal`)) as { entries: JournalEntry[] };
        expect(entries.map(({ id }) => id)).to.deep.equal(entries.map((_, i) => i + 1));
        for (const [group, id] of made) {
          expect(groups[group], group).to.deep.equal(['alice']);
          expect(JSON.parse(entries[id - 1]?.request.body ?? '').group).to.equal(group);
        }
      }
      if (round === ROUNDS) return expect((await server.signal('SIGTERM')).code).to.equal(0);
      const loads = [...acknowledged].flatMap(([sandbox, made]) =>
        [0, 1, 2].map(async () => {
          for (;;) {
            const { status, group, id } = await make(server, sandbox).catch(() => ({ status: 0, group: '', id: 0 }));
            if (status !== 200) return;
            made.set(group, id);
          }
        }),
      );
      await setTimeout(randomInt(5, 60));
      await server.signal('SIGKILL');
      await Promise.all(loads);
    }
    expect([...acknowledged.values()].map(({ size }) => size > ROUNDS)).to.deep.equal([true, true]);
  });

  it('goes on with `default`, whatever scenario it is started with, and says what that is', async () => {
    const first = await launch(flags());
    await make(first, 'default');
    await first.signal('SIGTERM');
    const second = await launch(['unlicensed', ...flags()]);
    expect(await groupsOf(second, 'default')).to.have.property(`g${count}`);
    expect(await at(second, 'default')).to.include({ scenario: 'small-team', version: 1 });
    await make(second, 'new');
    expect(await at(second, 'new')).to.include({ scenario: 'unlicensed' });
    expect((await second.signal('SIGTERM')).code).to.equal(0);
  });

  it('is the only one there: a second one ends with exit code 2', async () => {
    const first = await launch(flags());
    const { code, stdout, stderr } = await run(['serve', '--port', '0', ...flags()]);
    expect(stderr).to.match(/^the store cannot have the folder .*kept: the process \d+ has it: end it, or give each/);
    expect([code, stdout]).to.deep.equal([2, '']);
    await make(first, 'one');
    await first.signal('SIGKILL');
    const next = await launch(flags());
    expect(await groupsOf(next, 'one')).to.have.property(`g${count}`);
  });

  it('does not begin on a file that is damaged: file and line are told, and nothing is touched', async () => {
    const first = await launch(flags());
    for (let i = 0; i < 5; i += 1) await make(first, 'one');
    await first.signal('SIGTERM');
    const file = join(folder.path, 'kept', 'one.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    const damaged = lines.map((line, i) => (i === 2 ? `${line.slice(0, 10)}#${line.slice(11)}` : line)).join('\n');
    writeFileSync(file, damaged);
    const { code, stdout, stderr } = await run(['serve', '--port', '0', ...flags()]);
    expect(stderr).to.match(/one\.jsonl:3\b|one\.jsonl.* line 3\b/);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(readFileSync(file, 'utf8')).to.equal(damaged);
  });

  it('forgets a line that was not written to its end', async () => {
    const first = await launch(flags());
    for (let i = 0; i < 3; i += 1) await make(first, 'one');
    await first.signal('SIGKILL');
    const file = join(folder.path, 'kept', 'one.jsonl');
    writeFileSync(file, readFileSync(file).subarray(0, -7));
    const second = await launch(flags());
    expect(Object.keys(await groupsOf(second, 'one')))
      .to.include(`g${count - 1}`)
      .and.not.include(`g${count}`);
    expect((await make(second, 'one')).id).to.equal(3);
  });

  it('answers 503 when there is no room, loses nothing, and serves the others', async () => {
    const server = await launch(flags(), { shell: 'ulimit -f 128' }); // blocks of 512 bytes
    const made: string[] = [];
    for (;;) {
      const { status, group, headers, text } = await make(server, 'one', 'x'.repeat(1000));
      if (status === 200) made.push(group);
      else {
        expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
        expect((JSON.parse(text) as { message: string }).message).to.match(/^one\.jsonl could not be written: EFBIG/);
        break;
      }
    }
    expect(made.length).to.be.above(3);
    const { [`g${count}${'x'.repeat(1000)}`]: refused, ...groups } = await groupsOf(server, 'one');
    expect(refused).to.equal(undefined);
    expect(Object.keys(groups)).to.include.members(made);
    const other = await make(server, 'two');
    expect(other.status, other.text).to.equal(200);
    await server.signal('SIGTERM');
    const next = await launch(flags());
    expect(Object.keys(await groupsOf(next, 'one'))).to.include.members(made);
    expect((await make(next, 'one')).status, 'where there is room again').to.equal(200);
  });
});
