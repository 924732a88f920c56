// The whole run: contracts of every version of the specification and of many writers, each interaction with its outcome and the reason.
import { expect } from 'chai';
import { isAddressGap } from '../../../server/operations/gaps/gaps-address.js';
import { useSharedScratch } from '../../support/files/scratch.js';
import { asks, contractOf, pactFile, pactNames, ppf, pushes, replies, shortly, verifying } from './running.js';

/** By file and description: classification, rules except those of the address, and gaps. All of them passed. */
const expected: Readonly<Record<string, string>> = {
  'no-metadata-wiki.json: a member leaves a group':
    'rests on wiki-auth=open, wiki-success=object | groups.body groups.remove-users | wiki-auth=open wiki-success=object',
  'v1-ruby-wiki.json: a request to add Alice to the customers':
    'rests on wiki-auth=open, wiki-success=object | groups.body groups.add-users | wiki-auth=open wiki-success=object',
  'v1-ruby-wiki.json: a request whether a space is free':
    'rests on wiki-auth=open, is-unique-answer=boolean | spaces.is-unique | wiki-auth=open is-unique-answer=boolean',
  'v1-ruby-wiki.json: a request to take Carol off the editors of a page':
    'rests on wiki-auth=open, no-change=ok, wiki-success=object | permissions.body permissions.edit-remove | wiki-auth=open no-change=ok wiki-success=object',
  'v1.1-jvm-favourites.json: a push without a licence':
    'documented | ppf.licensed-only | ppf-error-body=jira error-text=detailed',
  'v1.1-jvm-favourites.json: a push of a filter to a user':
    'documented | ppf.body-types ppf.push ppf.processed-is-200 ppf.success-flag | ppf-effect=push-adds',
  'v2-net-wiki.json: A request to let two more read a page':
    'rests on wiki-auth=open, no-change=ok, wiki-success=object | permissions.body permissions.view-add | wiki-auth=open no-change=ok wiki-success=object',
  'v2-net-wiki.json: A request to link a page from the sidebar':
    'rests on wiki-auth=open, wiki-success=object | spaces.sidebar-link | wiki-auth=open wiki-success=object',
  'v2-net-wiki.json: A request to copy the template space':
    'rests on wiki-auth=open, copy-success=like-others, wiki-success=object | spaces.copy-default-admin spaces.copy spaces.copy-query-only spaces.copy-keep-metadata | wiki-auth=open copy-success=like-others wiki-success=object',
  'v2-ruby-favourites.json: a push to Alice and to one who is not there':
    'documented | ppf.body-types ppf.push ppf.processed-is-200 ppf.success-flag ppf.failure-message | ppf-message-text=vendor ppf-effect=push-adds ppf-partial=apply-rest',
  'v2-ruby-favourites.json: a pull from a group':
    'rests on auth-scheme=all | ppf.body-types ppf.pull ppf.processed-is-200 ppf.success-flag | auth-scheme=all ppf-no-change=ok ppf-effect=push-adds',
  'v2-ruby-favourites.json: a push to nobody':
    'documented | ppf.needs-recipient ppf.invalid-is-400 | ppf-error-body=jira error-text=detailed',
  'v3-jvm-wiki.json: a user of a new group may edit a new page':
    'rests on wiki-auth=open, wiki-success=object | permissions.body permissions.edit-add | wiki-auth=open wiki-success=object',
  'v3-jvm-wiki.json: the words of a page are replaced in a space with a parameter':
    'rests on wiki-auth=open, wiki-success=object | spaces.replace-list spaces.replace-body | wiki-auth=open wiki-success=object',
  'v3-python-favourites.json: a request to push a filter and a dashboard to a user':
    'rests on auth-scheme=all | ppf.body-types ppf.push ppf.processed-is-200 ppf.success-flag | auth-scheme=all ppf-effect=push-adds',
  'v3-python-favourites.json: a request of one who is no admin':
    'documented | ppf.admin-only | ppf-error-body=jira error-text=detailed',
  'v3-python-favourites.json: a request while there is no licence':
    'rests on auth-scheme=all, ppf-anonymous=403 | ppf.licensed-only | auth-scheme=all ppf-error-body=jira error-text=detailed',
  'v4-go-wiki.json: a request to take users and groups off all permissions':
    'rests on wiki-auth=open, no-change=ok, wiki-success=object | permissions.body permissions.all-remove permissions.groups-field | wiki-auth=open no-change=ok wiki-success=object',
  'v4-go-wiki.json: a request about a page that is not there, whose status only a guess supports':
    'rests on wiki-auth=open, unknown-page=404 | permissions.body | wiki-auth=open unknown-page=404 wiki-error-body=confluence error-text=detailed',
  'v4-go-wiki.json: a request to set the members of a group of the state':
    'rests on wiki-auth=open, wiki-success=object | groups.body groups.set-users | wiki-auth=open wiki-success=object',
  'v4-rust-favourites.json: a push whose JSON is malformed': 'rests on  |  | ppf-error-body=jira error-text=detailed',
  'v4-rust-favourites.json: a push without a body':
    'rests on  | ppf.needs-recipient ppf.needs-item ppf.invalid-is-400 | ppf-error-body=jira error-text=detailed',
  'v4-rust-favourites.json: a pull of a dashboard, answered in any of the documented shapes':
    'rests on auth-scheme=all | ppf.body-types ppf.pull ppf.processed-is-200 ppf.success-flag | auth-scheme=all ppf-no-change=ok',
};

/** What a request has that the document does not define, such as a repeated parameter, is listed apart from the rest. */
const beyond = [
  'no-metadata-wiki.json: a space is asked for twice in one query',
  'v3-jvm-wiki.json: a copy of the template, the query with a repeated parameter',
];

describe('verify: contracts of every version', () => {
  it('reports for each interaction the outcome, what decided, and the classification', async () => {
    const { verdicts, target, scenario, notices } = await verifying(pactNames.map(pactFile));
    expect({ target, scenario, notices }).to.deep.equal({
      target: 'a fake in this process',
      scenario: 'small-team',
      notices: [],
    });
    const named = new Map(
      verdicts.map(verdict => [`${verdict.contract.source}: ${verdict.interaction.description}`, verdict]),
    );
    expect([...named.keys()]).to.have.members([...Object.keys(expected), ...beyond]);
    const reported = [...named]
      .filter(([name]) => !beyond.includes(name))
      .map(([name, { classification, rules, gaps }]) => {
        const ofOperation = rules.filter(rule => !rule.startsWith('address.'));
        const chosen = Object.entries(gaps)
          .filter(([gap]) => !isAddressGap(gap))
          .map(pair => pair.join('='));
        return [name, [shortly(classification), ofOperation.join(' '), chosen.join(' ')].join(' | ')];
      });
    expect(Object.fromEntries(reported)).to.deep.equal(expected);
    expect(verdicts.map(({ outcome, differences, problem }) => [outcome, differences, problem])).to.deep.equal(
      verdicts.map(() => ['passed', [], undefined]),
    );
    expect(beyond.map(name => named.get(name)?.classification.kind)).to.deep.equal(['rests', 'rests']);
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

  it('sends a body that is not JSON byte for byte, and no body if there is none', async () => {
    const { verdicts } = await verifying(pactFile('v4-rust-favourites.json'));
    expect(verdicts[0]?.exchange?.request.body).to.equal('{"users": ["alice"], "filters": [10500}');
    expect(verdicts[0]?.exchange?.response.text).to.contain('JSON');
    expect(verdicts[1]?.exchange?.request).to.not.have.property('body');
    expect(verdicts[1]?.exchange?.response.text).to.contain('users').and.contain('filters');
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
    const v3 = { metadata: { pactSpecification: { version: '3.0.0' } } };
    const plain = {
      method: 'POST',
      path: `${below}/groups/add-users`,
      headers: { 'Content-Type': 'application/json' },
    };
    const body = { grp: 'customers', users: ['alice'] };
    const contracts = [
      contractOf([
        asks('elsewhere', `${below}/group/add-user`, { group: 'customers', users: ['alice'] }, replies(200), states),
        asks('as a text', `${below}/groups/add-users`, { group: 'customers', users: 'alice' }, replies(201), states),
        asks('refused', `${below}/groups/add-users`, { group: 7, users: ['alice'] }, replies(400), states),
      ]),
      contractOf([{ description: 'older', request: { ...plain, body }, response: { status: 200 }, ...states }], v3),
    ];
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
      [['status', '', undefined]],
      [
        ['body', '/group', 'missing-field'],
        ['body', '/grp', 'unknown-field'],
        ['status', '', 'wiki-success'],
      ],
    ]);
  });

  it('reports each difference with its place', async () => {
    const { verdicts } = await verifying(
      contractOf([
        pushes(
          'a push',
          { users: ['bob'], filters: [10500] },
          { ...replies(200, { success: true, messages: [] }), headers: { 'Content-Type': 'text/plain' } },
        ),
      ]),
    );
    const [verdict] = verdicts;
    expect(verdict?.outcome).to.equal('failed');
    expect(verdict?.differences.map(({ part, place }) => `${part} ${place}`)).to.include.members([
      'header Content-Type',
      'body $.success',
    ]);
    expect(verdict?.differences.map(({ says }) => says).join('\n'))
      .to.contain('true')
      .and.contain('false');
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
