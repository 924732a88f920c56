// A served fake as the provider: at its root, below a context path, in a sandbox of its own or a named one, with its token
// and its readings, and in several runs at once.
import { expect } from 'chai';
import type { Verdict, Verification } from '../../../harness/verify/contract/verdict.js';
import type { RemoteTarget } from '../../../harness/verify/providers/provider.js';
import type { Running } from '../../../server/process/start.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { sandboxNames, serving } from '../../support/wire/server.js';
import { failure } from '../../support/worlds/failure.js';
import { adds, pactFile, pushes, replies, shortly, verdictOn, verifying } from './running.js';

const summary = ({ interaction, outcome, classification, rules, gaps, trials, pairs }: Verdict) => ({
  what: [interaction.description, outcome, shortly(classification), gaps, trials, pairs],
  rules: rules.filter(rule => !rule.startsWith('address.')),
});
const some = () => ['v3-jvm-wiki.json', 'v3-python-favourites.json'].map(pactFile);
const outcomesOf = ({ verdicts }: Verification) => [...new Set(verdicts.map(({ outcome }) => outcome))];

describe('verify: a served fake', () => {
  let server: Running;
  const at = (path = '', rest: Partial<RemoteTarget> = {}) => ({
    target: { url: `${server.url}${path}`, headers: {}, ...rest },
  });
  const control = { Authorization: 'Bearer secret' };
  afterEach(() => server.stop());

  it('gives each of several runs the result of a fake of its own, and drops the sandboxes that it made', async () => {
    server = await serving();
    const own = await verifying(some(), { isSensitive: true });
    const runs = ['', '/~job-7'].map(path => verifying(some(), { isSensitive: true, ...at(path) }));
    for (const { verdicts, notices } of await Promise.all(runs)) {
      expect(verdicts.map(summary)).to.deep.equal(own.verdicts.map(summary));
      expect(notices).to.deep.equal([]);
    }
    const named = await runs[1];
    expect(named?.target).to.equal(`${server.url}/~job-7`);
    expect(named?.verdicts[0]?.exchange?.response.headers['x-fake-sandbox']).to.equal('job-7');
    expect(await sandboxNames(server.url)).to.have.members(['default', 'job-7']);
  });

  it('is called below a context path, in a named sandbox too', async () => {
    server = await serving(undefined, { reading: ['context-path=/wiki'] });
    const contract = pactFile('v2-net-wiki.json');
    for (const path of ['/wiki/', '/~job-7/wiki'])
      expect(outcomesOf(await verifying(contract, at(path))), path).to.deep.equal(['passed']);
    const [entry] = (await verifying(contract, at())).verdicts;
    expect(entry?.exchange?.response.status).to.equal(404);
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

  it('begins with the scenario it was started with', async () => {
    server = await serving('unlicensed');
    const verdict = await verdictOn(pushes('a push', { users: ['alice'], filters: [10500] }, replies(403)), {
      ...at(),
      scenario: 'unlicensed',
    });
    expect(verdict).to.deep.include({ outcome: 'passed', classification: { kind: 'documented' } });
  });

  it('requires its token, and accepts no other', async () => {
    server = await serving(undefined, { 'control-token': 'secret' });
    const contract = pactFile('v3-jvm-wiki.json');
    const { verdicts } = await verifying(contract, at('', { token: 'secret' }));
    expect(new Set(verdicts.map(({ outcome }) => outcome))).to.deep.equal(new Set(['passed']));
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
    expect(new Set(verdicts.map(({ outcome }) => outcome))).to.deep.equal(new Set(['passed']));
    expect(await sandboxNames(server.url)).to.deep.equal(['default']);
  });

  it('is like any other server without its control API, and has no states then', async () => {
    server = await serving(undefined, { control: 'off' });
    const { verdicts, notices } = await verifying(pactFile('v3-python-favourites.json'), at());
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'failed', 'failed']);
    expect(notices).to.deep.equal([
      '3 interactions have provider states that were not set up: give the URL that sets up states with --state-change-url.',
    ]);
  });
});
