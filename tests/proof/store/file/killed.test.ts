// A process that is killed at any moment leaves everything it acknowledged, once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { program } from '../../../store/file/children.js';
import { heldIn } from '../../../store/file/opened.js';
import { type Scratch, scratch } from '../../../support/files/scratch.js';

const ROUNDS = 15;

describe('a process with a file store that is killed', function () {
  this.timeout(60_000);
  let folder: Scratch;
  let appender: string;
  before(async () => {
    folder = scratch();
    appender = program('appender', folder.path);
  });
  after(() => folder.drop());

  for (const fsync of ['fsync', 'no fsync']) {
    it(`at any moment leaves everything it acknowledged, and nothing twice, with ${fsync}, in ${ROUNDS} rounds`, async () => {
      let acknowledged = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const data = join(folder.path, `${fsync}-${round}`);
        const said = await killedAfter(data, fsync, 10 + Math.random() * 250);
        acknowledged += said.length;
        check(said, await heldIn(data));
      }
      expect(acknowledged).to.be.greaterThan(ROUNDS * 10);
    });
  }

  /** The complete lines it printed before it was killed, this many milliseconds after it was ready. */
  async function killedAfter(data: string, fsync: string, milliseconds: number): Promise<readonly string[]> {
    const child = spawn(process.execPath, [appender, data, fsync], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (said === '') setTimeout(() => child.kill('SIGKILL'), milliseconds);
      said += chunk.toString();
    });
    const [, signal] = await once(child, 'close');
    expect(signal).to.equal('SIGKILL');
    return said.split('\n').slice(1, -1);
  }

  function check(said: readonly string[], held: Awaited<ReturnType<typeof heldIn>>): void {
    for (const sandbox of ['a', 'b', 'c']) {
      const last = said.filter(line => line.startsWith(`${sandbox} `)).at(-1);
      const acknowledged = Number(last?.slice(2) ?? 0);
      const tail = held[sandbox];
      if (tail === undefined) {
        expect(acknowledged, sandbox).to.equal(0);
        continue;
      }
      const { last: latest, from, base } = tail.head;
      expect(latest - acknowledged, `${sandbox} after ${acknowledged}`).to.be.within(0, 1); // one may not have been printed
      expect(tail.base).to.equal(String(base));
      expect(base - from).to.equal(base === 0 ? 0 : 10);
      expect(tail.records.map(([n]) => n)).to.deep.equal(Array.from({ length: latest - from }, (_, i) => from + i + 1));
    }
    const lines = new Set(said);
    for (const line of lines) {
      const name = `n${line.slice(1)}`;
      if (line.startsWith('+') && !lines.has(`?${line.slice(1)}`)) expect(held).to.have.property(name);
      if (line.startsWith('-')) expect(held).not.to.have.property(name);
    }
  }
});
