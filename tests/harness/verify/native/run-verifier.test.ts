// What could spoil a run: a verifier that leaves something out, is missing or dies, a misleading environment, and leftovers.
import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { counts } from '../../../../harness/verify/contract/verdict.js';
import { verdictOn } from '../../../../harness/verify/judging/judge-interaction.js';
import { numberAll } from '../../../../harness/verify/native/numbered-interactions.js';
import { runVerifier } from '../../../../harness/verify/native/run-verifier.js';
import { type NativeRun, NativeVerifier } from '../../../../harness/verify/native/verifier.js';
import { OwnFake } from '../../../../harness/verify/providers/own-fake.js';
import { useScratch } from '../../../support/files/scratch.js';
import { packageFolder } from '../../../support/processes/built.js';
import { run } from '../../../support/processes/command-line.js';
import { REFUSED } from '../../../support/wire/connection-failures.js';
import { contractOf, pactFile, ppf, pushes, replies, verifying } from '../running.js';

const contract = contractOf(
  [pushes('one', {}, replies(400)), pushes('two', {}, replies(400)), pushes('three', {}, replies(400))],
  ppf,
);

/** The real one, whose result for one interaction gets lost on the way. */
class Forgetful extends NativeVerifier {
  override async run(asked: NativeRun) {
    const results = new Map(await super.run(asked));
    results.delete('1');
    return results;
  }
}

async function outcomesWith(verifier: NativeVerifier) {
  const fake = await OwnFake.of(undefined, {});
  try {
    return await runVerifier(numberAll([contract]), fake, verifier);
  } finally {
    verifier.end();
    await fake.close();
  }
}

describe('verify: the result of the verifier', () => {
  it('is reported missing for an interaction, by its name', async () => {
    const outcomes = await outcomesWith(new Forgetful());
    const verdicts = numberAll([contract]).map((one, i) => verdictOn(one, outcomes[i] ?? {}, undefined));
    expect(
      verdicts.map(({ interaction, outcome, problem }) => [interaction.description, outcome, problem]),
    ).to.deep.equal([
      ['one', 'passed', undefined],
      ['two', 'unverified', "Pact's verifier returned no result for this interaction."],
      ['three', 'passed', undefined],
    ]);
    expect(verdicts.map(verdict => counts(verdict, false))).to.deep.equal([false, true, false]);
  });

  it('is the same in every environment', async () => {
    const misleading = {
      PACT_DESCRIPTION: 'no such interaction',
      PACT_PROVIDER_STATE: 'no such state',
      PACT_PROVIDER_NO_STATE: 'true',
      PACT_BROKER_BASE_URL: 'http://127.0.0.1:1',
      HTTP_PROXY: 'http://127.0.0.1:1',
      http_proxy: 'http://127.0.0.1:1',
      ALL_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: '',
    };
    const before = Object.keys(misleading).map(name => [name, process.env[name]] as const);
    try {
      Object.assign(process.env, misleading);
      const { verdicts } = await verifying([contract, pactFile('v3-python-favourites.json')]);
      expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(Array(6).fill('passed'));
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

describe('verify: a script that calls it', () => {
  const moduleUrl = (path: string) => JSON.stringify(pathToFileURL(`${packageFolder}/${path}`).href);
  const folder = useScratch();

  /** Ends when nothing is left for it to do. */
  async function script(lines: string, env: Record<string, string> = {}) {
    folder.write(
      'script.mts',
      `import { verify } from ${moduleUrl('harness/verify/verify.ts')};
import { contractOf, ppf, pushes, replies } from ${moduleUrl('tests/harness/verify/running.ts')};
const contract = contractOf([pushes('a push', {}, replies(400))], ppf);
const quiet = { readings: {}, isSensitive: true };
const messageOf = (error: Error) => error.message;
${lines}`,
    );
    const tsx = `${packageFolder}/node_modules/tsx/dist/cli.mjs`;
    return run([`${folder.path}/script.mts`], {
      program: tsx,
      cwd: packageFolder,
      env: { TMPDIR: folder.path, ...env },
    });
  }
  const left = () => readdirSync(folder.path).filter(name => name.startsWith('cwx-fake'));

  it('ends by itself and leaves nothing behind, whatever the result', async () => {
    const { code, stdout, stderr } = await script(`
const { verdicts } = await verify([contract], quiet);
console.log(verdicts[0]?.outcome);
console.log((await verify([], quiet)).verdicts.length);
console.log(await verify([contract], { ...quiet, scenario: 'no-such-scenario' }).catch(messageOf));
for (const contracts of [[contract], []])
  console.log(await verify(contracts, { ...quiet, target: { url: 'http://127.0.0.1:1', headers: {} } }).catch(messageOf));
`);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout.split('\n')).to.deep.equal([
      'passed',
      '0',
      stdout.split('\n')[2],
      `http://127.0.0.1:1 does not respond: ${REFUSED}`,
      `http://127.0.0.1:1 does not respond: ${REFUSED}`,
      '',
    ]);
    expect(stdout.split('\n')[2]).to.contain('no-such-scenario');
    expect(left()).to.deep.equal([]);
  });

  it('learns how to install the verifier if it is missing', async () => {
    const nowhere = `export const resolve = (specifier, context, next) =>
      next(specifier, specifier === '@pact-foundation/pact-core' ? { ...context, parentURL: 'file:///nowhere/at-all.mjs' } : context);`;
    folder.write(
      'hook.mjs',
      `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(nowhere)}));`,
    );
    const { code, stdout } = await script('console.log(await verify([contract], quiet).catch(messageOf));', {
      NODE_OPTIONS: `--import ${pathToFileURL(`${folder.path}/hook.mjs`).href}`,
    });
    expect({ code, stdout }).to.deep.equal({
      code: 0,
      stdout:
        "Pact's verifier is not installed: npm install --save-dev @pact-foundation/pact-core (@pact-foundation/pact includes it).\n",
    });
    expect(left()).to.deep.equal([]);
  });
});
