// Contracts of a Pact Broker: what it is asked, what is made of its answers, and what is told where it does not give them.

import { expect } from 'chai';
import type { BrokerOptions } from '../../../server/verify/broker/broker.js';
import { type GatherOptions, gather } from '../../../server/verify/pacts/gather.js';
import { type BrokerForm, type HalBroker, type HeldPact, halBroker, idOf } from '../../support/hal-broker.js';

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
  patience: 5000,
  ...rest,
});

describe('gathering contracts from a broker', () => {
  const open: HalBroker[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  const broker = async (form: BrokerForm) => {
    const one = await halBroker(form);
    open.push(one);
    return one;
  };

  it('takes what it has for each of our providers, with its ids, its notices and where results go', async () => {
    const { url, asked: heard } = await broker({
      pacts: [held('web'), held('tui'), held('portal', 'wiki-extension'), held('x', 'other')],
    });
    const { contracts, problems, notices } = await gather([url], asked());
    expect([problems, notices]).to.deep.equal([[], []]);
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
    });
    expect(heard.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).to.have.deep.members(
      ['wiki-extension', 'push-pull'].map(name => [
        `/pacts/provider/${name}/for-verification`,
        { consumerVersionSelectors: [], includePendingStatus: false },
      ]),
    );
  });

  it('asks with selectors, branch and tags for one provider, whatever it is called', async () => {
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

  it('takes pending pacts as such where they are asked for, and those in work', async () => {
    const { url } = await broker({
      pacts: [held('a'), held('b', 'push-pull', { isPending: true }), held('c', 'push-pull', { isInWork: true })],
    });
    const pending = async (options: Partial<BrokerOptions>) =>
      (await gather([url], asked(options, { providers: ['push-pull'] }))).contracts.map(contract => [
        contract.consumer,
        contract.broker?.isPending,
      ]);
    expect(await pending({})).to.deep.equal([
      ['a', false],
      ['b', false],
    ]);
    expect(await pending({ includePending: true })).to.deep.equal([
      ['a', false],
      ['b', true],
    ]);
    expect(await pending({ includePending: true, includeWipSince: '2026-01-31' })).to.deep.equal([
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
  });

  it('gets in with a token or with a user, and sends them with everything', async () => {
    const tokened = await broker({ pacts: [held('web')], token: 'abc' });
    const usered = await broker({ pacts: [held('web')], basic: 'joe:s3:cret' });
    const basic = { user: 'joe', password: 's3:cret' };
    expect((await gather([tokened.url], asked({ token: 'abc' }))).contracts).to.have.length(1);
    expect((await gather([usered.url], asked({ basic }))).contracts).to.have.length(1);
    expect((await gather([usered.url.replace('//', '//joe:s3%3Acret@')], asked())).contracts).to.have.length(1);
    expect(new Set(tokened.asked.map(({ authorization }) => authorization))).to.deep.equal(new Set(['Bearer abc']));
    expect((await gather([tokened.url], asked({ token: 'wrong' }))).problems).to.deep.equal([
      `${tokened.url}/ answers 401: it does not take what --broker-token gives.`,
    ]);
    expect((await gather([usered.url], asked())).problems).to.deep.equal([
      `${usered.url}/ answers 401: it wants to know who asks: give --broker-token <token> or --broker-user <user:password>.`,
    ]);
  });

  it('keeps to the broker that is named, whatever that takes itself to be', async () => {
    const pacts = [held('web')];
    const inside = await broker({ pacts, base: 'http://internal:9292', token: 'abc' });
    const below = await broker({ pacts, context: '/broker' });
    const both = await broker({ pacts, context: '/broker', base: 'http://internal:9292' });
    const double = await broker({ pacts, base: 'http://internal//evil.example' });
    for (const { url } of [inside, below, both]) {
      const { contracts, problems } = await gather([`${url}/`], asked({ token: 'abc' }));
      expect([problems, contracts.length], url).to.deep.equal([[], 1]);
      expect(contracts[0]?.broker?.publishTo?.startsWith(`${url}/pacts/`), url).to.equal(true);
    }
    const { unreachable } = await gather([double.url], asked({ token: 'abc' }));
    expect(unreachable).to.equal(undefined);
    expect(double.asked.map(({ path }) => path.slice(0, 15))).to.deep.equal([
      '/',
      '//evil.example/',
      '//evil.example/',
    ]);
  });

  it('passes over a provider that is not known there, and tells where none is', async () => {
    const { url } = await broker({ pacts: [held('web')] });
    const none = await broker({ pacts: [held('x', 'other')] });
    const { contracts, notices } = await gather([url], asked());
    expect([contracts.length, notices]).to.deep.equal([
      1,
      [`${url}/ knows no provider "wiki-extension": passed over.`],
    ]);
    expect((await gather([none.url], asked())).problems).to.deep.equal([
      `${none.url}/ has no pacts of "wiki-extension" nor "push-pull": is it the right broker?`,
    ]);
    expect((await gather([none.url], asked({}, { providers: ['wiki'] }))).problems).to.deep.equal([
      `${none.url}/ has no pacts of "wiki": is it the right broker?`,
    ]);
  });

  it('tells where the selectors choose nothing', async () => {
    const { url } = await broker({ pacts: [held('web', 'push-pull', { isInWork: true })] });
    const { contracts, problems, notices } = await gather(
      [url],
      asked({ selectors: [{ tag: 'x' }] }, { providers: ['push-pull'] }),
    );
    expect([contracts, problems]).to.deep.equal([[], []]);
    expect(notices).to.deep.equal([`${url}/ has no pact of push-pull to verify by {"tag":"x"}.`]);
  });

  it('passes on what the broker says of a selector', async () => {
    const { url } = await broker({ pacts: [held('web')] });
    const { problems } = await gather(
      [url],
      asked({ selectors: [{ deployed: true, environment: 'nowhere' }] }, { providers: ['push-pull'] }),
    );
    expect(problems).to.deep.equal([
      `${url}/pacts/provider/push-pull/for-verification answers 400 (consumerVersionSelectors: environment with name 'nowhere' does not exist (at index 0)): it does not take what was asked.`,
    ]);
  });

  it('asks nothing where the options cannot be right', async () => {
    const { url, asked: heard } = await broker({ pacts: [held('web')] });
    const options = asked({ selectors: [{ matchingBranch: true }], includeWipSince: 'yesterday' });
    expect((await gather([url], options)).problems).to.deep.equal([
      'The selector matchingBranch takes the branch of the provider: --provider-branch <name>.',
      '"yesterday" is no date: it takes one such as 2026-01-31.',
    ]);
    expect(heard).to.deep.equal([]);
  });

  it('takes the latest pacts from an older broker, and says so', async () => {
    const { url } = await broker({ pacts: [held('web'), held('tui')], isOld: true });
    const notice = `${url}/ is an older broker: the latest pact of each consumer with push-pull is taken.`;
    const plain = await gather([url], asked({}, { providers: ['push-pull'] }));
    expect(
      plain.contracts.map(({ consumer, broker: from }) => [consumer, from?.isPending, from?.notices]),
    ).to.deep.equal([
      ['web', false, []],
      ['tui', false, []],
    ]);
    expect(plain.notices).to.deep.equal([notice]);
    const selected = await gather([url], asked({ selectors: [{ latest: true }] }, { providers: ['push-pull'] }));
    expect(selected.notices).to.deep.equal([
      `${notice} Selectors, pending pacts and those in work are not heeded by it.`,
    ]);
  });

  it('takes one pact, or a list of them, by its own URL', async () => {
    const { url } = await broker({ pacts: [held('web'), held('tui')] });
    const list = await gather([`${url}/pacts/provider/push-pull/latest`], asked());
    expect(list.contracts.map(({ consumer }) => consumer)).to.deep.equal(['web', 'tui']);
    const source = list.contracts[0]?.source ?? '';
    const [one] = (await gather([source], asked())).contracts;
    expect([one?.consumer, one?.broker?.publishTo]).to.deep.equal(['web', `${source}/verification-results`]);
  });

  it('tells of each pact that it cannot give, and takes the others', async () => {
    const instead = {
      path: /consumer\/tui/,
      answer: { status: 500, body: '{"error": {"message": "An error has occurred"}}' },
    };
    const { url } = await broker({ pacts: [held('web'), held('tui')], instead });
    const { contracts, problems } = await gather([url], asked({}, { providers: ['push-pull'] }));
    expect(contracts.map(({ consumer }) => consumer)).to.deep.equal(['web']);
    expect(problems.map(text => text.replace(/http\S*/, 'URL'))).to.deep.equal([
      'URL answers 500 (An error has occurred): something is wrong there; the run may be tried again.',
    ]);
  });

  it('tells of a broker that does not answer in the middle of it, or with a web page', async () => {
    const path = /for-verification/;
    const hanging = await broker({ pacts: [held('web')], instead: { path, answer: 'hang' } });
    const options = asked({}, { providers: ['push-pull'], patience: 200 });
    expect((await gather([hanging.url], options)).unreachable).to.equal(
      `${hanging.url}/pacts/provider/push-pull/for-verification does not answer: no answer within 0.2 s.`,
    );
    const paged = await broker({
      pacts: [held('web')],
      instead: { path, answer: { status: 200, type: 'text/html', body: '<html>' } },
    });
    expect((await gather([paged.url], asked({}, { providers: ['push-pull'] }))).problems).to.deep.equal([
      `${paged.url}/pacts/provider/push-pull/for-verification answers with a web page: it takes the URL of a pact or of the root of a Pact Broker.`,
    ]);
  });
});
