// The whole run: contracts of every version of the specification and of many writers, each interaction with its outcome and the reason.
import { expect } from 'chai';
import { isAddressGap } from '../../../server/operations/provenance.js';
import { useSharedScratch } from '../../support/files/scratch.js';
import { asks, contractOf, pactFile, pactNames, ppf, pushes, replies, shortly, verifying } from './running.js';

/** The classification, the rules except those of the address, and the gaps of some; all others rest on gaps. */
const expected: Readonly<Record<string, string>> = {
  'v1-ruby-wiki.json: a request whether a space is free':
    'rests on wiki-auth=open, is-unique-answer=boolean | spaces.is-unique | wiki-auth=open is-unique-answer=boolean',
  'v1.1-jvm-favourites.json: a push without a licence':
    'documented | ppf.licensed-only | ppf-error-body=jira error-text=detailed',
  'v1.1-jvm-favourites.json: a push of a filter to a user':
    'documented | ppf.body-types ppf.push ppf.processed-is-200 ppf.success-flag | ppf-effect=push-adds',
  'v2-ruby-favourites.json: a push to Alice and to one who is not there':
    'documented | ppf.body-types ppf.push ppf.processed-is-200 ppf.success-flag ppf.failure-message | ppf-message-text=vendor ppf-effect=push-adds ppf-partial=apply-rest',
  'v2-ruby-favourites.json: a push to nobody':
    'documented | ppf.needs-recipient ppf.invalid-is-400 | ppf-error-body=jira error-text=detailed',
  'v3-python-favourites.json: a request of one who is no admin':
    'documented | ppf.admin-only | ppf-error-body=jira error-text=detailed',
  'v4-go-wiki.json: a request about a page that is not there, whose status only a guess supports':
    'rests on wiki-auth=open, unknown-page=404 | permissions.body | wiki-auth=open unknown-page=404 wiki-error-body=confluence error-text=detailed',
  'v4-rust-favourites.json: a push whose JSON is malformed': 'rests on  |  | ppf-error-body=jira error-text=detailed',
};

describe('verify: contracts of every version', () => {
  it('reports for each interaction the outcome, what decided, and the classification', async () => {
    const { verdicts, target, scenario, notices } = await verifying(pactNames.map(pactFile));
    expect({ target, scenario, notices }).to.deep.equal({
      target: 'a fake in this process',
      scenario: 'small-team',
      notices: [],
    });
    const reported = verdicts.map(({ contract, interaction, classification, rules, gaps }) => {
      const ofOperation = rules.filter(rule => !rule.startsWith('address.'));
      const chosen = Object.entries(gaps)
        .filter(([gap]) => !isAddressGap(gap))
        .map(pair => pair.join('='));
      const found = [shortly(classification), ofOperation.join(' '), chosen.join(' ')].join(' | ');
      return [`${contract.source}: ${interaction.description}`, found] as const;
    });
    const [some, others] = [true, false].map(isNamed => reported.filter(([name]) => name in expected === isNamed));
    expect(Object.fromEntries(some ?? [])).to.deep.equal(expected);
    expect((others ?? []).filter(([, found]) => !found.startsWith('rests on '))).to.deep.equal([]);
    expect(verdicts.map(({ outcome, differences, problem }) => [outcome, differences, problem])).to.deep.equal(
      verdicts.map(() => ['passed', [], undefined]),
    );
  });

  it('puts the values of states into the request', async () => {
    const { verdicts } = await verifying([pactFile('v3-jvm-wiki.json'), pactFile('v3-python-favourites.json')]);
    const asked = verdicts.map(({ exchange }) => `${exchange?.request.path} ${exchange?.request.body ?? ''}`);
    expect(asked[0]).to.equal(
      '/rest/cwxapiextension/latest/permissions/edit/65702 {"groups":["newcomers"],"users":["dora"]}',
    );
    expect(asked[2]).to.equal(
      '/rest/cwxapiextension/latest/spaces/replaceInPage?pageTitle=Who+to+ask&spaceKey=handbook [{"newText":"Dora","oldText":"NAME"}]',
    );
    expect(asked[3]).to.equal('/rest/cwx-ppf/latest/push {"dashboards":[30001],"filters":[20001],"users":["emil"]}');
  });

  it('gives two interactions with one description and the same states a verdict each, pending if the broker says so', async () => {
    const states = { providerStates: [{ name: 'small-team' }] };
    const body = { users: ['alice'], filters: [10500] };
    const contract = contractOf(
      [
        pushes('a push', body, replies(200), states),
        pushes('a push', body, replies(403), states),
        pushes('a push', {}, replies(400), states),
      ],
      { provider: { name: 'push-pull' } },
    );
    const { verdicts } = await verifying({ ...contract, broker: { isPending: true, notices: [] } });
    expect(verdicts.map(({ isPending }) => isPending)).to.deep.equal([true, true, true]);
    expect(
      verdicts.map(({ outcome, exchange, differences }) => [outcome, exchange?.response.status, differences]),
    ).to.deep.equal([
      ['passed', 200, []],
      ['failed', 200, [{ part: 'status', place: '', says: 'Status: expected 403, got 200.' }]],
      ['passed', 400, []],
    ]);
  });

  it('reports the unknown state of an interaction, and what else is wrong with it', async () => {
    const states = { providerStates: [{ name: 'unlicenced' }] };
    const below = '/rest/cwxapiextension/latest';
    const users = ['alice'];
    const contracts = contractOf([
      asks('elsewhere', `${below}/group/add-user`, { group: 'customers', users }, replies(200), states),
      asks('as a text', `${below}/groups/add-users`, { group: 'customers', users: 'alice' }, replies(201), states),
      asks('misspelt', `${below}/groups/add-users`, { grp: 'customers', users }, replies(201), states),
      asks('refused', `${below}/groups/add-users`, { grp: 'customers', users }, replies(400), states),
    ]);
    const { verdicts } = await verifying(contracts);
    expect(
      verdicts.map(({ outcome, problem = '' }) => [outcome, problem.includes('did you mean "unlicensed"')]),
    ).to.deep.equal(verdicts.map(() => ['unverified', true]));
    const found = verdicts.map(({ findings }) =>
      findings.map(({ part, pointer, rule, gap, nearest }) => [part, pointer, rule ?? gap ?? nearest]),
    );
    expect(found).to.deep.equal([
      [['path', '', `${below}/groups/add-users`]],
      [
        ['body', '/users', 'groups.body'],
        ['status', '', 'wiki-success'],
      ],
      [
        ['body', '/group', 'missing-field'],
        ['body', '/grp', 'unknown-field'],
        ['status', '', 'wiki-success'],
      ],
      [['status', '', undefined]],
    ]);
  });
});

const push = { users: ['alice'], filters: [10500] };

describe('verify: faults of a scenario', () => {
  const story = (effect: string) =>
    `title: A fault\nabout: It takes the place of the response.\nfixture: small-team\nfaults:\n  - { operation: ppf.push, effect: ${effect} }\nsteps: []\n`;
  const folder = useSharedScratch({
    'busy.yaml': story('{ status: 503, retryAfter: 2 }'),
    'gone.yaml': story('{ hangUp: true }'),
  });

  it('answer what a contract about a busy server expects, and prove nothing about the document', async () => {
    const contract = contractOf([pushes('a push to a busy server', push, replies(503))], ppf);
    const { verdicts } = await verifying(contract, { scenario: `${folder.path}/busy.yaml` });
    expect(
      verdicts.map(({ outcome, rules, gaps, classification }) => [outcome, rules, gaps, classification]),
    ).to.deep.equal([['passed', [], {}, { kind: 'unknown' }]]);
  });

  it('break a response off, which fails that interaction, and the others go on', async () => {
    const contract = contractOf([pushes('a push', push, replies(200)), pushes('another', push, replies(200))], ppf);
    const { verdicts } = await verifying(contract, { scenario: `${folder.path}/gone.yaml` });
    expect(verdicts.map(({ outcome, classification }) => [outcome, classification.kind])).to.deep.equal([
      ['failed', 'unknown'],
      ['failed', 'unknown'],
    ]);
    for (const { problem } of verdicts) expect(problem).to.match(/^The target broke off the connection: .+\.$/);
  });
});
