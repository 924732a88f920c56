// `cwx-fake doctor` as a user starts it: its output, its JSON and its exit code.
import { expect } from 'chai';
import { refusalOf, run } from '../../support/processes/commands.js';

const env = { no_proxy: '*' };
const doctor = (...args: string[]) => run(['doctor', '--port', '0', ...args], { env });

describe('cwx-fake doctor', () => {
  it('lists its checks, then the totals', async () => {
    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, -1).map(line => /^✔ (\S+)(?: · \S.*)?$/.exec(line)?.[1])).to.deep.equal([
      ...['node', 'max-memory', 'proxy', 'port', 'scenario', 'store', 'control', 'allow-host', 'cors'],
      ...['request-timeout', 'headers-timeout', 'max-connections'],
    ]);
    expect(lines.at(-1)).to.equal('✔ 12 passed, 0 warnings, 0 failed');
  });

  it('shows each finding with its fix', async () => {
    const { code, stdout } = await doctor('--cors', 'https://evil.example', '--request-timeout', '0');
    expect(code).to.equal(1);
    expect(stdout).to.include(
      [
        '✘ cors · --cors https://evil.example lets pages of this site call operations and read the responses.',
        '    Fix: Allow only your own origins. During development, serve the page on localhost: --cors http://localhost:3000',
        '! request-timeout · --request-timeout 0: a client that sends its request slowly can keep its connection open forever.',
        '    Fix: Omit --request-timeout (default: 60), or give a number above 0.',
      ].join('\n'),
    );
    expect(stdout).to.match(/\n✘ 10 passed, 1 warning, 1 failed\n$/);
  });

  it('prints JSON for programs, and never a token', async () => {
    const args = ['--json', '--max-connections', '0', '--control-token', 'secret'];
    const { stdout } = await doctor(...args);
    const { passed, version, checks } = JSON.parse(stdout) as { [name: string]: unknown; checks: readonly object[] };
    expect(passed).to.equal(false);
    expect(version).to.be.a('string');
    expect(checks[3]).to.deep.equal({ check: 'port', verdict: 'passed', message: '127.0.0.1:0' });
    expect(checks.at(-1))
      .to.include({ check: 'max-connections', verdict: 'warning' })
      .and.include.keys('message', 'fix');
    expect(stdout).not.to.include('secret');
  });

  it('takes the environment variables of serve', async () => {
    const { code, stdout } = await run(['doctor', '--port', '0'], { env: { ...env, CWX_FAKE_ALLOW_HOST: 'any' } });
    expect(code).to.equal(1);
    expect(stdout).to.match(/^✘ allow-host · --allow-host any /m);
  });

  it('refuses flags that serve refuses (2)', async () => {
    expect(await refusalOf(doctor('--control', 'open', '--control-token', 'a'))).to.equal(
      'cwx-fake doctor: --control open cannot be combined with --control-token\n',
    );
    expect((await doctor('--max-memory', 'much')).code).to.equal(2);
    expect((await doctor('--target', 'nowhere')).code).to.equal(2);
  });
});
