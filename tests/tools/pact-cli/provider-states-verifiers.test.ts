// The provider states with Pact's class and command, on pacts that none of our tests wrote. The native verifier: tests/http/control.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Log } from '../../../server/engine/log.js';
import { type Running, start } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';
import { scratch } from '../../support/files/scratch.js';
import {
  noTracking,
  type Provider,
  pactsFor,
  providers,
  type Verified,
  verified,
  verifyBy,
} from '../../support/pact/verifiers.js';
import { useServer } from '../../support/wire/server.js';
import { installed } from '../installed.js';

const PROGRAM = installed('@pact-foundation/pact-cli/bin/pact-verifier.js');
const STATES = '/_fake/v1/provider-states';

/** A verifier that retries after 5xx for 127 s fails beyond this. */
const PATIENCE = 110_000;

describe('provider states under the verifiers of Pact', function () {
  this.timeout(PATIENCE);
  let server: Running;
  const warned: string[] = [];
  const log: Log = { info: () => {}, warn: message => warned.push(message), error: message => warned.push(message) };
  before(async () => {
    const running = await start(settingsFrom(undefined, { port: '0' }), log);
    server = isProblems(running) ? expect.fail(JSON.stringify(running.problems)) : running;
  });
  after(() => server.stop());

  const allOf = (provider: Provider) =>
    Object.fromEntries(pactsFor(provider).descriptions.map(description => [description, true]));

  const commandFor = (provider: Provider, files: readonly string[], sandbox?: string, at = server.url) => {
    const base = sandbox === undefined ? '' : `/~${sandbox}`;
    return [
      ...files.flatMap(file => ['-f', file]),
      ...['-h', '127.0.0.1', '-p', new URL(at).port, '-n', provider, '--base-path', base === '' ? '/' : base],
      ...['--state-change-url', `${at}${base}${STATES}`],
    ];
  };
  const optionsFor = (provider: Provider, files: readonly string[], sandbox?: string) => {
    const base = `${server.url}${sandbox === undefined ? '' : `/~${sandbox}`}`;
    return { provider, providerBaseUrl: base, pactUrls: [...files], providerStatesSetupUrl: `${base}${STATES}` };
  };

  for (const provider of providers) {
    const { files } = pactsFor(provider);
    describe(`the hand-written pacts for ${provider}`, () => {
      for (const flags of [[], ['--state-change-as-query', '--state-change-teardown']])
        it(`pass with pact-verifier ${flags.join(' ') || 'alone'}`, async () => {
          const { code, results, text } = await pactVerifier([...commandFor(provider, files), ...flags]);
          expect(results).to.deep.equal(allOf(provider), text);
          expect(code).to.equal(0);
        });
    });
  }

  describe('with a misspelt state', () => {
    const wrong = scratch();
    const file = `${wrong.path}/misspelt.json`;
    before(() => {
      const interaction = (description: string, providerState: string) => ({
        description,
        providerState,
        request: { method: 'post', path: '/rest/cwx-ppf/latest/push' },
        response: { status: 403 },
      });
      const pact = {
        consumer: { name: 'c' },
        provider: { name: 'push-pull' },
        interactions: [interaction('right', 'small-team'), interaction('misspelt', 'unlicenced')],
      };
      wrong.write('misspelt.json', JSON.stringify(pact));
    });
    after(() => wrong.drop());
    const verdict = { right: true, misspelt: false };

    it('fail it at once with pact-verifier, and the log of the server has the reason', async () => {
      warned.length = 0;
      const { code, results } = await pactVerifier(commandFor('push-pull', [file]));
      expect({ code, results }).to.deep.equal({ code: 1, results: verdict });
      expect(warned).to.have.length(1);
      expect(warned[0]).to.contain(
        `POST ${STATES} returned 404: Unknown state "unlicenced" (did you mean "unlicensed"?)`,
      );
    });

    it('tell the program that runs handlers, since Pact goes on after a failing one', async () => {
      const { failures } = await verifyBy('handlers', optionsFor('push-pull', [file]));
      expect(failures).to.have.length(1);
      expect(failures[0]).to.contain('Unknown state "unlicenced" (did you mean "unlicensed"?)');
    });
  });

  describe('with a control token', () => {
    const guarded = useServer('small-team', { 'control-token': 'let-me-in' });
    const { files } = pactsFor('push-pull');

    it('accept it by -H as X-Fake-Token, which leaves the credentials of the contract alone', async () => {
      const { code, results, text } = await pactVerifier([
        ...commandFor('push-pull', files, 'job-1', guarded.url),
        ...['-H', 'X-Fake-Token=let-me-in'],
      ]);
      expect(results).to.deep.equal(allOf('push-pull'), text);
      expect(code).to.equal(0);
    });
  });

  describe('as handlers of the class Verifier', () => {
    it('set up the states of the pacts', async () => {
      const provider = 'wiki-extension';
      const options = { provider, providerBaseUrl: '', pactUrls: [...pactsFor(provider).files] };
      const { results, failures } = await verifyBy('handlers', options);
      expect({ results, failures }).to.deep.equal({ results: allOf(provider), failures: [] });
    });
  });
});

async function pactVerifier(args: readonly string[]): Promise<Verified & { readonly code: number | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'cwx-fake-'));
  const report = join(folder, 'report.json');
  const program = [PROGRAM, ...args, '--no-colour', '-j', report];
  const child = spawn(process.execPath, program, { env: { ...process.env, ...noTracking } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      said += text;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  try {
    return { code, results: verified(readFileSync(report, 'utf8')).results, text: said };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
