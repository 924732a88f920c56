// `cwx-fake play` in a real terminal: it shows a demo, reacts to keys, and always restores the terminal.
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { built, cli } from '../../support/processes/built.js';
import { sandboxNames, serving } from '../../support/wire/server.js';
import { growing } from '../terminal/showing.js';
import { hasPseudoTerminal, inTerminal } from './pseudo-terminal.js';

describe('cwx-fake play in a terminal', () => {
  before(async function () {
    if (!hasPseudoTerminal()) this.skip();
    await built();
  });
  const folder = useScratch({ 'scenarios/growing.yaml': growing });

  /** Runs the command, then prints the terminal settings. */
  const play = (args: string, keys: ReadonlyArray<readonly [string, string]> = [], columns = 100) =>
    inTerminal(`"${process.execPath}" "${cli}" play growing ${args}; echo "ends with $?"; stty -a`, keys, {
      columns,
      cwd: folder.path,
    });
  const isPutBack = (seen: string) => {
    expect(seen)
      .to.match(/[ ;]icanon\b/)
      .and.to.match(/[ ;]echo\b/);
  };

  it('prints a step, and waits for Enter or Space before the next one', async () => {
    const { seen } = await play('--step', [
      ['1 Alice', '\r'],
      ['2 Carol', ' '],
    ]);
    expect(seen).to.include('◆ alice joins customers');
    expect(seen).to.include('1 scenario, 3 steps passed, 0 failed, 0 skipped').and.to.include('ends with 0');
    isPutBack(seen);
  });

  for (const [name, key, code, text] of [
    ['q', 'q', 0, growing],
    ['Ctrl-C', '\u0003', 130, growing],
    ['q after a failed step', 'q', 1, growing.replace('status: 200', 'status: 201')],
  ] as const) {
    it(`ends with ${name}: ${code}`, async () => {
      folder.replace('scenarios/growing.yaml', text);
      const { seen } = await play('--step', [['q: end', key]]);
      expect(seen).to.include('0 skipped, stopped at step 1 of 3').and.to.include(`ends with ${code}`);
      if (code === 1) expect(seen).to.include('✘ not as expected');
      isPutBack(seen);
    });
  }

  it('restores the terminal on a signal, then ends by that signal', async () => {
    const { seen } = await inTerminal(
      `bash -c 'echo "pid $$ "; exec "${process.execPath}" "${cli}" play growing --step'; echo "ends with $?"; stty -a`,
      [['q: end', before => process.kill(Number(/pid (\d+) /.exec(before)?.[1]), 'SIGTERM')]],
      { cwd: folder.path },
    );
    expect(seen).to.include('ends with 143');
    isPutBack(seen);
  });

  it('plays a demo at a pace, without keys and no wider than the terminal', async () => {
    const { seen } = await play('--pace 0.05', [], 50);
    const shown = seen.slice(0, seen.indexOf('ends with')).replaceAll('\r', '').split('\n');
    const bare = shown.map(line => stripVTControlCharacters(line)); // colours take no columns
    expect(bare.filter(line => line.length > 50)).to.deep.equal([]);
    expect(bare[0]).to.equal(`── Growing ${'─'.repeat(39)}`);
    expect(seen).to.include('\u001b[1m  1 Alice').and.to.include('ends with 0');
    isPutBack(seen);
  });

  it('drops its sandbox if a signal arrives between two steps', async () => {
    const server = await serving();
    const { seen } = await inTerminal(
      `bash -c 'echo "pid $$ "; exec "${process.execPath}" "${cli}" play growing --pace 60 --target ${server.url}'; echo "ends with $?"`,
      [['✔ as expected', before => process.kill(Number(/pid (\d+) /.exec(before)?.[1]), 'SIGTERM')]],
      { cwd: folder.path },
    );
    expect(seen).to.include('1 scenario, 1 step passed, 0 failed, 0 skipped').and.to.include('ends with 143');
    expect(await sandboxNames(server.url)).to.deep.equal(['default']);
    await server.stop();
  });
});
