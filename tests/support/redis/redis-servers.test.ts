// The servers of the tests of stores say why they do not start, and do not outlive the test that started them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { until } from '../worlds/until.js';
import { hasRedis, RedisServer } from './redis-servers.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('a Redis of a test', () => {
  it('says why it does not start', async () => {
    const error = await RedisServer.start({ lines: ['no-such-setting yes'] }).catch(String);
    expect(error).to.include('does not start').and.to.include('no-such-setting');
  });

  it('ends with its test, by -9 too, and its folder goes', async () => {
    const program = `
      const { RedisServer } = await import('${new URL('redis-servers.ts', import.meta.url)}');
      const { pid, folder } = await RedisServer.start();
      process.stdout.write(pid + ' ' + folder);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { stdio: 'pipe' });
    const [said] = await once(child.stdout, 'data');
    const [pid = '', folder = ''] = String(said).split(' ');
    expect(isAlive(Number(pid))).to.equal(true);
    expect(existsSync(folder)).to.equal(true);
    child.kill('SIGKILL');
    await until(() => !isAlive(Number(pid)) && !existsSync(folder));
  });
});

/** One that has ended and that nobody has asked after yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false; // there is no such process
  }
  return !isDefunct(pid);
}

function isDefunct(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // no such folder: the system tells it in another way, or it has just gone
  }
}
