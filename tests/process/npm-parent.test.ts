// A server that npm started ends with npm, whatever ended npm.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { scratch } from '../support/files/scratch.js';
import { cli } from '../support/processes/built.js';
import { until } from '../support/worlds/until.js';

describe('a server that npm started', () => {
  const responses = (url: string) =>
    fetch(`${url}/_fake/health`).then(
      ({ ok }) => ok,
      () => false,
    );

  async function urlOf(child: ChildProcess): Promise<string> {
    let text = '';
    for await (const chunk of child.stdout ?? []) {
      text += String(chunk);
      const url = /listening on (\S+)/.exec(text)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error(`it does not listen: ${text}`);
  }

  for (const [signal, script] of [
    ['SIGTERM', `node ${cli} serve --port 0`],
    ['SIGKILL', `true && node ${cli} serve --port 0`],
  ] as const)
    it(`ends after ${signal} to npm: ${script.replace(cli, 'cli.js')}`, async () => {
      const files = scratch({ 'package.json': JSON.stringify({ scripts: { start: script } }) });
      const npm = spawn('npm', ['start', '--silent'], { cwd: files.path, stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = once(npm, 'exit');
      const url = await urlOf(npm);
      expect(await responses(url)).to.equal(true);
      npm.kill(signal);
      await ended;
      await until(async () => !(await responses(url)));
      files.drop();
    });
});
