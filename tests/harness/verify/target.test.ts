// A served fake as the provider: at its root, below a context path, in a sandbox of its own or a named one, with its token
// and its readings, and in several runs at once.
import { expect } from 'chai';
import type { Verdict, Verification } from '../../../harness/verify/contract/verdict.js';
import type { RemoteTarget } from '../../../harness/verify/providers/provider.js';
import type { Running } from '../../../server/process/start.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { sandboxNames, sendJson, serving, useServer } from '../../support/wire/server.js';
import { failure } from '../../support/worlds/failure.js';
import { adds, contractOf, pactFile, pactNames, pushes, replies, shortly, verdictOn, verifying } from './running.js';

const all = () => pactNames.map(pactFile);
const summary = ({ interaction, outcome, classification, rules, gaps }: Verdict) => [
  interaction.description,
  outcome,
  shortly(classification),
  rules.filter(rule => !rule.startsWith('address.')),
  gaps,
];

/** The result of a fake of its own, with everything requested. */
let own: Promise<Verification> | undefined;
const ownRun = () => {
  own ??= verifying(all(), { isSensitive: true });
  return own;
};

describe('verify: a served fake, in several runs at once', () => {
  const server = useServer();
  let runs: Verification[];
  let left: readonly string[];
  before(async () => {
    const at = (path: string) => ({ target: { url: server.url + path, headers: {} } });
    runs = await Promise.all(['', '/~a', '/~job-7'].map(path => verifying(all(), at(path))));
    left = await sandboxNames(server.url);
  });

  it('gives each the result of a fake of its own, and drops its sandbox after the run', async () => {
    const [there] = runs;
    const expected = (await ownRun()).verdicts.map(summary);
    for (const { verdicts } of runs) expect(verdicts.map(summary)).to.deep.equal(expected);
    expect({ target: there?.target, notices: there?.notices }).to.deep.equal({ target: server.url, notices: [] });
    expect(left).to.have.members(['default', 'a', 'job-7']);
  });

  it('uses the sandbox that the URL names, which stays', () => {
    const named = runs[2];
    expect(new Set(named?.verdicts.map(({ outcome }) => outcome))).to.deep.equal(new Set(['passed']));
    expect(named?.target).to.equal(`${server.url}/~job-7`);
    expect(named?.verdicts[0]?.exchange?.response.headers['x-fake-sandbox']).to.equal('job-7');
  });
});

describe('verify: a served fake', () => {
  let server: Running;
  const at = (path = '', rest: Partial<RemoteTarget> = {}) => ({
    target: { url: `${server.url}${path}`, headers: {}, ...rest },
  });
  const control = { Authorization: 'Bearer secret' };
  afterEach(() => server.stop());

  it('gives the same results for other readings as a fake of its own', async () => {
    server = await serving();
    const trialsOf = ({ trials, pairs }: Verdict) => [trials, pairs];
    const there = await verifying(all(), { isSensitive: true, ...at() });
    expect(there.verdicts.map(trialsOf)).to.deep.equal((await ownRun()).verdicts.map(trialsOf));
  });

  it('is called below a context path', async () => {
    server = await serving(undefined, { reading: ['context-path=/wiki'] });
    const { verdicts } = await verifying(all(), at('/wiki/'));
    expect(new Set(verdicts.map(({ outcome }) => outcome))).to.deep.equal(new Set(['passed']));
    const [entry] = (await verifying(pactFile('v2-net-wiki.json'), at())).verdicts;
    expect({ outcome: entry?.outcome, status: entry?.exchange?.response.status }).to.deep.equal({
      outcome: 'failed',
      status: 404,
    });
  });

  it('is called in a named sandbox below a context path', async () => {
    server = await serving();
    const { verdicts } = await verifying(pactFile('v2-net-wiki.json'), at('/~job-7/wiki'));
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed']);
  });

  it('uses its own readings unless others are given', async () => {
    server = await serving(undefined, { reading: ['wiki-success=no-content'] });
    const interaction = adds('adds', { group: 'customers', users: ['alice'] }, replies(200));
    const verdict = await verdictOn(interaction, at());
    expect({
      outcome: verdict.outcome,
      classification: shortly(verdict.classification),
      says: verdict.differences[0]?.says,
    }).to.deep.equal({
      outcome: 'failed',
      classification: 'rests on wiki-success=no-content',
      says: 'Status: expected 200, got 204.',
    });
    const said = await verdictOn(interaction, { ...at(), readings: { 'wiki-success': 'empty' } });
    expect({ outcome: said.outcome, classification: shortly(said.classification) }).to.deep.equal({
      outcome: 'failed',
      classification: 'rests on wiki-success=empty',
    });
  });

  it('uses the readings of the named sandbox', async () => {
    server = await serving();
    const readings = { 'wiki-success': 'messages' };
    await sendJson(`${server.url}/_fake/v1/sandboxes/job-7`, 'PUT', { readings });
    const verdict = await verdictOn(
      adds('adds', { group: 'customers', users: ['alice'] }, replies(200)),
      at('/~job-7'),
    );
    expect(verdict.classification.kind === 'rests' && verdict.classification.on[0]?.reading).to.equal('messages');
  });

  it('begins with the scenario it was started with', async () => {
    server = await serving('unlicensed');
    const verdict = await verdictOn(pushes('a push', { users: ['alice'], filters: [10500] }, replies(403)), {
      ...at(),
      scenario: 'unlicensed',
    });
    expect(verdict).to.deep.include({ outcome: 'passed', classification: { kind: 'documented' } });
  });

  it('names the nearest state, and missing parameters, like a fake of its own', async () => {
    server = await serving();
    const wrong = contractOf([
      pushes('misspelt', {}, replies(400), { providerStates: [{ name: 'unlicenced' }] }),
      pushes('lacking', {}, replies(400), { providerStates: [{ name: 'group exists', params: { nam: 'x' } }] }),
    ]);
    const [own, there] = [await verifying(wrong), await verifying(wrong, at())];
    expect(there.verdicts.map(({ outcome, problem }) => [outcome, problem])).to.deep.equal(
      own.verdicts.map(({ problem }) => ['unverified', problem]),
    );
    expect(own.verdicts[0]?.problem).to.contain('did you mean "unlicensed"?');
  });

  it('requires its token, and accepts no other', async () => {
    server = await serving(undefined, { 'control-token': 'secret' });
    const contract = pactFile('v3-jvm-wiki.json');
    const { verdicts } = await verifying(contract, at('', { token: 'secret' }));
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed']);
    expect(await sandboxNames(server.url, control)).to.deep.equal(['default']);
    const none = await failure(verifying(contract, at()), Unreachable);
    expect(none.message).to.contain('requires a token');
    const wrong = await failure(verifying(contract, at('', { token: 'wrong' })), Unreachable);
    expect(wrong.message).to.contain('rejects this token').and.not.contain('wrong');
    expect(JSON.stringify(verdicts.map(({ exchange }) => exchange))).to.not.contain('secret');
  });

  it('creates sandboxes if they are created explicitly only', async () => {
    server = await serving(undefined, { sandboxes: 'explicit' });
    const { verdicts } = await verifying(pactFile('v3-jvm-wiki.json'), at());
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed']);
    expect(await sandboxNames(server.url)).to.deep.equal(['default']);
  });

  it('gets the given headers instead of those of the contract, in any case', async () => {
    server = await serving();
    const push = pushes('a push', { users: ['alice'], filters: [10500] }, replies(200));
    const verdict = await verdictOn(push, at('', { headers: { AUTHORIZATION: 'Basic Y2Fyb2w6Y2Fyb2w=' } }));
    expect({ outcome: verdict.outcome, status: verdict.exchange?.response.status }).to.deep.equal({
      outcome: 'failed',
      status: 403,
    });
  });

  it('is like any other server without its control API, and has no states then', async () => {
    server = await serving(undefined, { control: 'off' });
    const { verdicts, notices } = await verifying(pactFile('v3-python-favourites.json'), at());
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'failed', 'failed']);
    expect(notices).to.deep.equal([
      '3 interactions have provider states that were not set up: give the URL that sets up states with --state-change-url.',
    ]);
  });

  it('sets up states through its own endpoint like any other server', async () => {
    server = await serving();
    const url = `${server.url}/_fake/v1/provider-states`;
    const { verdicts } = await verifying(pactFile('v3-jvm-wiki.json'), at('', { stateChangeUrl: url }));
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed']);
  });
});
