// Publishes results to a broker in the form of Pact's own verifier, which runs here against the same broker.

import { expect } from 'chai';
import { type PublishOptions, publishResults } from '../../../../harness/verify/broker/publish.js';
import type { Contract } from '../../../../harness/verify/contract/contract.js';
import type { Verdict } from '../../../../harness/verify/contract/verdict.js';
import { gather } from '../../../../harness/verify/gather.js';
import { packageVersion } from '../../../../server/process/package.js';
import { verifyBy } from '../../../support/pact/verifiers.js';
import { type HalBroker, type HeldPact, idOf, useBrokers } from '../../../support/wire/hal-broker.js';
import { serving } from '../../../support/wire/server.js';
import { contractOf, verdictOf, verificationOf } from '../hand-made.js';

const path = '/rest/cwx-ppf/latest/push';
const headers = { Authorization: 'Basic YWRtaW46YWRtaW4=', 'Content-Type': 'application/json' };
const request = { method: 'POST', path, headers, body: { users: ['alice'], filters: [10500] } };
const good = { description: 'a push', request, response: { status: 200, body: { success: true } } };
const bad = {
  description: 'a push that fails',
  request,
  response: { status: 418, headers: { 'X-A': '1' }, body: { success: 1 } },
};
const held = (consumer: string, interactions: readonly object[], rest: Partial<HeldPact> = {}): HeldPact => ({
  pact: { consumer: { name: consumer }, provider: { name: 'push-pull' }, interactions },
  ...rest,
});
const options: PublishOptions = { providerVersion: '1.2.3', isStrict: false, patience: 60_000 };

describe('publishing results', () => {
  const broker = useBrokers();
  const contractsOf = async ({ url }: HalBroker, token?: string): Promise<readonly Contract[]> => {
    const gathered = await gather([url], {
      providers: ['push-pull'],
      broker: { selectors: [], includePending: true, ...(token !== undefined && { token }) },
    });
    expect(gathered.problems).to.deep.equal([]);
    return gathered.contracts;
  };
  /** The results that the broker received, without the requests for pacts. */
  const published = (there: HalBroker) => there.by('POST').filter(one => one.path.endsWith('/verification-results'));
  const verdictsOn = (contracts: readonly Contract[], rest: Partial<Verdict> = {}) =>
    contracts.flatMap(contract =>
      contract.interactions.map(interaction => ({ ...verdictOf(rest), contract, interaction })),
    );
  const failed: Partial<Verdict> = {
    outcome: 'failed',
    differences: [
      { part: 'status', place: '', says: 'Status: expected 418, got 200.' },
      { part: 'header', place: 'X-A', says: 'It is missing.' },
      { part: 'body', place: '$.success', says: 'Expected 1.' },
    ],
  };

  it('sends one result for each contract, with its version and the outcome of each interaction', async () => {
    const there = await broker({ pacts: [held('web', [good]), held('tui', [good, bad])] });
    const contracts = await contractsOf(there);
    const [first, second, third] = verdictsOn(contracts);
    if (first === undefined || second === undefined || third === undefined) expect.fail('there are too few');
    const verdicts = [first, second, { ...third, ...failed }];
    const problems = await publishResults(verificationOf(verdicts), { ...options, buildUrl: 'https://ci/1' });
    expect(problems).to.deep.equal([]);
    const rest = {
      providerApplicationVersion: '1.2.3',
      buildUrl: 'https://ci/1',
      verifiedBy: { implementation: 'cwx-fake', version: packageVersion() },
    };
    const held1 = { interactionId: idOf(good), interactionDescription: 'a push', success: true };
    const mismatches = [
      { attribute: 'status', description: 'Status: expected 418, got 200.' },
      { attribute: 'header', identifier: 'X-A', description: 'It is missing.' },
      { attribute: 'body', identifier: '$.success', description: 'Expected 1.' },
    ];
    const failed1 = {
      interactionId: idOf(bad),
      interactionDescription: 'a push that fails',
      success: false,
      mismatches,
    };
    expect(published(there).map(({ body }) => body)).to.deep.equal([
      { success: true, testResults: [held1], ...rest },
      { success: false, testResults: [held1, failed1], ...rest },
    ]);
    expect(published(there).map(one => `${there.url}${one.path}`)).to.deep.equal(
      contracts.map(contract => contract.broker?.publishTo),
    );
    expect(there.by('PUT')).to.deep.equal([]);
  });

  const guess: Partial<Verdict> = {
    classification: { kind: 'rests', on: [{ gap: 'unknown-page', reading: '404', trials: [] }] },
  };
  const unshown = 'The document does not show it.';
  const counted: Readonly<Record<string, { verdict: Partial<Verdict>; isStrict?: true; message?: string }>> = {
    'could not be tried': { verdict: { outcome: 'unverified', problem: 'No such state.' }, message: 'No such state.' },
    'contradicts the document': {
      verdict: { classification: { kind: 'contradicts', rules: ['ppf.push'], says: ['It wants a list.'] } },
      message: 'This contradicts ppf.push: It wants a list.',
    },
    'is nothing the document knows of': {
      verdict: { classification: { kind: 'contradicts', rules: [], says: ['There is no such path.'] } },
      message: 'The document does not describe this: There is no such path.',
    },
    'rests on a gap, strictly': {
      verdict: guess,
      isStrict: true,
      message:
        'The document does not promise this. It rests on unknown-page=404: no other single reading changes the outcome.',
    },
    'expects what the document does not show, strictly': {
      verdict: { classification: { kind: 'rests', on: [], unshown: [unshown] } },
      isStrict: true,
      message: `The document does not promise this. It rests on what the document does not show: ${unshown}`,
    },
    'rests on a gap, and that does not count': { verdict: guess },
  };
  it('reports as exceptions what counts although no response differed', async () => {
    for (const [title, { verdict, isStrict = false, message }] of Object.entries(counted)) {
      const there = await broker({ pacts: [held('web', [good])] });
      await publishResults(verificationOf(verdictsOn(await contractsOf(there), verdict)), { ...options, isStrict });
      const success = message === undefined;
      const result = { interactionId: idOf(good), interactionDescription: 'a push', success };
      expect(
        published(there).map(({ body }) => Object(body).testResults),
        title,
      ).to.deep.equal([[success ? result : { ...result, exceptions: [{ message }] }]]);
    }
  });

  it('reports an older broker without branches, and publishes nothing then', async () => {
    const there = await broker({ pacts: [held('web', [good])], lacks: 'pb:branch-version' });
    const verification = verificationOf(verdictsOn(await contractsOf(there)));
    const [problem] = await publishResults(verification, { ...options, branch: 'main' });
    expect(problem).to.include('web with push-pull was not published').and.to.include('does not support branches');
    expect(published(there)).to.deep.equal([]);
  });

  it('reports that there is nothing to publish, or no link for it', async () => {
    expect(await publishResults(verificationOf([verdictOf()]), options)).to.deep.equal([
      'Nothing was published: no contract comes from a broker.',
    ]);
    const contract = contractOf({ broker: { isPending: false, notices: [] } });
    expect(await publishResults(verificationOf([{ ...verdictOf(), contract }]), options)).to.deep.equal([
      'The result of web with wiki-extension was not published: the broker gave no link for publishing it.',
    ]);
  });

  it('reports errors without the token, and goes on with the other results', async () => {
    const instead = {
      path: /web.*verification-results/,
      response: { status: 403, body: '{"error": "token hush may not write"}' },
    };
    const there = await broker({ pacts: [held('web', [good]), held('tui', [good])], instead, token: 'hush' });
    const verification = verificationOf(verdictsOn(await contractsOf(there, 'hush')));
    const [problem = '', ...others] = await publishResults(verification, { ...options, token: 'hush' });
    expect(problem.replace(/http\S*/, 'URL')).to.equal(
      'The result of web with push-pull was not published: URL responds with 403 (token *** may not write): the account of --broker-token lacks permission: it must be allowed to read, and to write for publishing.',
    );
    expect({ others, length: published(there).length }).to.deep.equal({ others: [], length: 2 });
  });

  it("has the form in which Pact's own verifier sends results of the same pacts to the same broker", async () => {
    const pacts = [held('web', [good, bad]), held('tui', [good])];
    const native = await broker({ pacts, token: 'abc' });
    const ours = await broker({ pacts, token: 'abc' });
    const fake = await serving();
    const verified = await verifyBy('core', {
      provider: 'push-pull',
      providerBaseUrl: fake.url,
      pactBrokerUrl: native.url,
      pactBrokerToken: 'abc',
      consumerVersionSelectors: [{ mainBranch: true }],
      enablePending: true,
      publishVerificationResult: true,
      providerVersion: '1.2.3',
      providerVersionBranch: 'main',
      providerVersionTags: ['prod'],
      buildUrl: 'https://ci/1',
    }).finally(() => fake.stop());
    expect(verified.results).to.deep.equal({ 'a push': true, 'a push that fails': false });
    const { contracts } = await gather([ours.url], {
      providers: ['push-pull'],
      broker: {
        token: 'abc',
        selectors: [{ mainBranch: true }],
        includePending: true,
        providerBranch: 'main',
        providerTags: ['prod'],
      },
    });
    const verdicts = verdictsOn(contracts).map(verdict =>
      verdict.interaction.description === 'a push' ? verdict : { ...verdict, ...failed },
    );
    const full = { ...options, branch: 'main', tags: ['prod'], buildUrl: 'https://ci/1', token: 'abc' };
    expect(await publishResults(verificationOf(verdicts), full)).to.deep.equal([]);

    expect(ours.by('POST')[0]).to.deep.equal(native.by('POST')[0]); // the request for pacts
    const puts = (there: HalBroker) => new Set(there.by('PUT').map(one => `${one.path} ${JSON.stringify(one.body)}`));
    expect(puts(ours)).to.deep.equal(puts(native));
    const forms = (there: HalBroker) =>
      published(there).map(one => [one.path.replace(/pact-version.*/, ''), formOf(one.body)]);
    const [failing, [to = '', holding = ''] = []] = forms(native);
    expect(holding).to.equal(
      'buildUrl, providerApplicationVersion, success=true, testResults[interactionId, success=true], verifiedBy{implementation, version}',
    );
    // that verifier leaves out the descriptions if everything passed
    expect(forms(ours)).to.deep.equal([failing, [to, holding.replace('[', '[interactionDescription, ')]]);
  });
});

/** The keys of a result, with its outcome; without the client that Pact's verifier names. */
function formOf(body: unknown): string {
  return Object.entries(Object(body) as Record<string, unknown>)
    .filter(([key]) => key !== 'clientLanguage')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => {
      if (key === 'success') return `success=${value}`;
      if (Array.isArray(value)) return `${key}[${[...new Set(value.map(formOf))].sort().join('; ')}]`;
      return typeof value === 'object' ? `${key}{${formOf(value)}}` : key;
    })
    .join(', ');
}
