// Contracts of a Pact Broker: the requests sent to it, what is made of its responses, and the errors if it fails.

import { expect } from 'chai';
import type { BrokerOptions } from '../../../../harness/verify/broker/broker.js';
import { type GatherOptions, gather } from '../../../../harness/verify/gather.js';
import { type HeldPact, idOf, useBrokers } from '../../../support/wire/hal-broker.js';

const push = {
  description: 'a push',
  request: { method: 'POST', path: '/rest/cwx-ppf/latest/push' },
  response: { status: 200 },
};
const held = (consumer: string, provider = 'push-pull', rest: Partial<HeldPact> = {}): HeldPact => ({
  pact: { consumer: { name: consumer }, provider: { name: provider }, interactions: [push] },
  ...rest,
});
const asked = (options: Partial<BrokerOptions> = {}, rest: Partial<GatherOptions> = {}): GatherOptions => ({
  broker: { selectors: [], includePending: false, ...options },
  patience: 60_000,
  ...rest,
});

const pushPull = { providers: ['push-pull'] };

describe('gathering contracts from a broker', () => {
  const broker = useBrokers();

  it('takes its contracts for each of our providers, with ids, notices and result links', async () => {
    const { url, asked: heard } = await broker({
      pacts: [held('web'), held('tui'), held('portal', 'wiki-extension'), held('x', 'other')],
    });
    const { contracts, problems, notices } = await gather([url], asked());
    expect({ problems, notices }).to.deep.equal({ problems: [], notices: [] });
    expect(contracts.map(({ consumer, provider }) => `${consumer} ${provider}`)).to.deep.equal([
      'portal wiki-extension',
      'web push-pull',
      'tui push-pull',
    ]);
    const [, web] = contracts;
    expect(web?.interactions.map(({ id, line, request }) => [id, line, request])).to.deep.equal([
      [idOf(push), undefined, 'POST /rest/cwx-ppf/latest/push'],
    ]);
    expect(web?.source).to.match(/^http:.*\/pacts\/provider\/push-pull\/consumer\/web\/pact-version\/[\da-f]{40}$/);
    expect(web?.broker).to.deep.equal({
      url: `${url}/`,
      isPending: false,
      publishTo: `${web?.source}/verification-results`,
      notices: [`The pact at ${web?.source} is being verified because it is the latest.`],
      later: [{ when: 'after_verification:success_true_published_false', text: 'Publish it.' }],
    });
    expect(heard.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).to.have.deep.members(
      ['wiki-extension', 'push-pull'].map(name => [
        `/pacts/provider/${name}/for-verification`,
        { consumerVersionSelectors: [], includePendingStatus: false },
      ]),
    );
  });

  it('sends selectors, branch and tags for one provider, whatever its name', async () => {
    const there = await broker({ pacts: [held('web', 'other & more'), held('tui')] });
    const selectors = [{ mainBranch: true }, { matchingBranch: true, consumer: 'web' }] as const;
    const options = asked(
      {
        selectors,
        includePending: true,
        includeWipSince: '2026-01-31',
        providerBranch: 'feat/x',
        providerTags: ['a', 'b'],
      },
      { providers: ['other & more'] },
    );
    const { contracts } = await gather([there.url], options);
    expect(contracts.map(({ consumer }) => consumer)).to.deep.equal(['web']);
    expect(there.by('POST').map(({ path, body }) => [path, body])).to.deep.equal([
      [
        '/pacts/provider/other%20%26%20more/for-verification',
        {
          consumerVersionSelectors: selectors,
          includePendingStatus: true,
          includeWipPactsSince: '2026-01-31',
          providerVersionBranch: 'feat/x',
          providerVersionTags: ['a', 'b'],
        },
      ],
    ]);
  });

  it('takes pending pacts as pending, and those in work, on request', async () => {
    const { url } = await broker({
      pacts: [held('a'), held('b', 'push-pull', { isPending: true }), held('c', 'push-pull', { isInWork: true })],
    });
    const pending = async (options: Partial<BrokerOptions>) =>
      (await gather([url], asked(options, pushPull))).contracts.map(
        contract => `${contract.consumer}${contract.broker?.isPending === true ? ' pending' : ''}`,
      );
    expect(await pending({})).to.deep.equal(['a', 'b']);
    expect(await pending({ includePending: true })).to.deep.equal(['a', 'b pending']);
    const both = { includePending: true, includeWipSince: '2026-01-31' };
    expect(await pending(both)).to.deep.equal(['a', 'b pending', 'c pending']);
  });

  it('logs in with a token or a user, and sends them with every request', async () => {
    const tokened = await broker({ pacts: [held('web')], token: 'abc' });
    const usered = await broker({ pacts: [held('web')], basic: 'joe:s3:cret' });
    const basic = { user: 'joe', password: 's3:cret' };
    expect((await gather([tokened.url], asked({ token: 'abc' }))).contracts).to.have.length(1);
    expect((await gather([usered.url], asked({ basic }))).contracts).to.have.length(1);
    expect((await gather([usered.url.replace('//', '//joe:s3%3Acret@')], asked())).contracts).to.have.length(1);
    expect(new Set(tokened.asked.map(({ authorization }) => authorization))).to.deep.equal(new Set(['Bearer abc']));
  });

  it('stays at the configured broker, whatever address that reports for itself', async () => {
    const pacts = [held('web')];
    const inside = await broker({ pacts, base: 'http://internal:9292', token: 'abc' });
    const below = await broker({ pacts, context: '/broker' });
    const both = await broker({ pacts, context: '/broker', base: 'http://internal:9292' });
    const double = await broker({ pacts, base: 'http://internal//evil.example' });
    for (const { url } of [inside, below, both]) {
      const { contracts, problems } = await gather([`${url}/`], asked({ token: 'abc' }));
      expect({ problems, length: contracts.length }, url).to.deep.equal({ problems: [], length: 1 });
      expect(contracts[0]?.broker?.publishTo?.startsWith(`${url}/pacts/`), url).to.equal(true);
    }
    const { unreachable } = await gather([double.url], asked({ token: 'abc' }));
    expect(unreachable).to.deep.equal([]);
    expect(double.asked.map(({ path }) => path.slice(0, 15))).to.deep.equal([
      '/',
      '//evil.example/',
      '//evil.example/',
    ]);
  });

  it('skips a provider the broker does not know, and reports if it knows none', async () => {
    const { url } = await broker({ pacts: [held('web')] });
    const none = await broker({ pacts: [held('x', 'other')] });
    const { contracts, notices } = await gather([url], asked());
    expect({ length: contracts.length, notices }).to.deep.equal({
      length: 1,
      notices: [`${url}/ does not know the provider "wiki-extension", which is skipped.`],
    });
    expect((await gather([none.url], asked())).problems).to.deep.equal([
      `${none.url}/ has no pacts for "wiki-extension" or "push-pull": check the URL of the broker.`,
    ]);
    expect((await gather([none.url], asked({}, { providers: ['wiki'] }))).problems).to.deep.equal([
      `${none.url}/ has no pacts for "wiki": check the URL of the broker.`,
    ]);
  });

  it('reports selectors that select nothing, and passes on what the broker says about one', async () => {
    const { url } = await broker({ pacts: [held('web', 'push-pull', { isInWork: true })] });
    const none = await gather([url], asked({ selectors: [{ tag: 'x' }] }, pushPull));
    expect(none).to.deep.include({ contracts: [], problems: [] });
    expect(none.notices).to.deep.equal([`${url}/ has no pact for push-pull to verify with the selector {"tag":"x"}.`]);
    const selectors = [{ deployed: true, environment: 'nowhere' }] as const;
    expect((await gather([url], asked({ selectors }, pushPull))).problems.join()).to.match(
      /\/for-verification responds with 400 \(.*'nowhere' does not exist .*\): it rejects the request\.$/,
    );
  });

  it('reports each pact that the broker cannot return, takes the others, and reports one that stops answering', async () => {
    const failing = { path: /consumer\/tui/, response: { status: 500, body: '{"error": {"message": "An error"}}' } };
    const { url } = await broker({ pacts: [held('web'), held('tui')], instead: failing });
    const { contracts, problems } = await gather([url], asked({}, pushPull));
    expect(contracts.map(({ consumer }) => consumer)).to.deep.equal(['web']);
    expect(problems.map(text => text.replace(/http\S*/, 'URL'))).to.deep.equal([
      'URL responds with 500 (An error): the server failed; try again later.',
    ]);
    const hanging = await broker({ pacts: [held('web')], instead: { path: /for-verification/, response: 'hang' } });
    const { unreachable } = await gather([hanging.url], asked({}, { ...pushPull, patience: 2_000 }));
    expect(unreachable.join()).to.include('/for-verification does not respond: no response within 2 s.');
  });
});
