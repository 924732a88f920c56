// The mistakes of a client that readings forgive: each one is a warning in the journal entry and on the terminal.
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { gapIds, gapSpec } from '../../../server/operations/gaps/gaps.js';
import type { OutputStream } from '../../../server/process/command-process.js';
import { createLog } from '../../../server/process/create-log.js';
import { useFake } from '../../support/worlds/use-fake.js';

const wiki = '/rest/cwxapiextension/latest';
const json = 'application/json';
const groups = `${wiki}/groups/add-users`;
const replace = `${wiki}/spaces/replaceInPage`;
const page = 'spaceKey=tmpl&pageTitle=Template+Home';
const free = 'sourceSpaceKey=tmpl&targetSpaceTitle=New&targetSpaceAdmin=admin&keepPagesMetadata=false';

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly type?: string;
  /** User and password. */
  readonly credentials?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request with the mistake, for each reading that forgives one. */
const mistakes: Record<string, Sent> = {
  'bad-credentials=anonymous': { credentials: 'admin:wrong' },
  'content-type=lenient': { type: 'text/plain' },
  'unknown-field=ignore': { body: { group: 'customers', users: ['alice'], notify: true } },
  'ppf-unknown-field=ignore': {
    path: '/rest/cwx-ppf/latest/push',
    body: { users: ['alice'], filters: [10500], notify: true },
  },
  'browser-post=accept': { headers: { 'User-Agent': 'Mozilla/5.0' } },
  'empty-lists=ok': { body: { group: 'customers', users: [] } },
  'unknown-parameter=ignore': { path: `${groups}?notify=true` },
  'missing-field=empty': { path: `${replace}?${page}`, body: [{ oldText: 'NAME' }] },
  'missing-list=empty': { body: { group: 'customers' } },
  'missing-parameter=empty': { path: `${replace}?spaceKey=tmpl`, body: [] },
  'missing-parameter=copy-options': { path: `${wiki}/spaces/copySpace?${free}&targetSpaceKey=NEW` },
  'repeated-parameter=first': { path: `${replace}?${page}&spaceKey=ds`, body: [] },
  'repeated-parameter=last': { path: `${replace}?spaceKey=ds&${page}`, body: [] },
  'sidebar-link-form=any': { path: `${wiki}/spaces/add-sidebar-link`, body: { spaceKey: 'ds', label: '', url: '' } },
  'space-title-form=any': {
    path: `${wiki}/spaces/copySpace?${free.replace(/targetSpaceTitle=[^&]*/, 'targetSpaceTitle=')}&targetSpaceKey=NEW&removeAdminPermissions=false`,
  },
  'field-type=scalars': { body: { group: 'customers', users: [7] } },
  'field-type=all': { body: { group: 'customers', users: 'alice' } },
  'null-field=absent': { body: { group: 'customers', users: null } },
  'name-case=ignored': { body: { group: 'Customers', users: ['alice'] } },
  'query-boolean=lenient': { path: `${wiki}/spaces/copySpace?${free}&targetSpaceKey=NEW&removeAdminPermissions=yes` },
  'space-key-format=any': { path: `${wiki}/spaces/copySpace?${free}&targetSpaceKey=N-E&removeAdminPermissions=false` },
  'version-segment=any': { path: groups.replace('latest', '1.0') },
  'trailing-slash=accept': { path: `${groups}/` },
  'unknown-user=skip': { body: { group: 'customers', users: ['zoe'] } },
  'unknown-user=create': { body: { group: 'customers', users: ['zoe'] } },
  'unknown-group=skip': { body: { group: 'nobodies', users: ['alice'] } },
  'unknown-group=create': { body: { group: 'nobodies', users: ['alice'] } },
  'replace-not-found=ok': { path: `${replace}?${page}`, body: [{ oldText: 'not there', newText: 'X' }] },
  'old-text-empty=ignored': { path: `${replace}?${page}`, body: [{ oldText: '', newText: 'X' }] },
  'replaced-title=allow': { path: `${replace}?${page}`, body: [{ oldText: 'Template Home', newText: '' }] },
  'expand-unknown=ignore': { path: `${groups}?expand=nonsense` },
  'ppf-empty-arrays=present': { path: '/rest/cwx-ppf/latest/push', body: { users: [], filters: [10500] } },
};

describe('a mistake that a reading forgives', () => {
  const fake = useFake();

  const warningsOf = async (sent: Sent, reading?: string) => {
    const sandbox = fake.sandbox();
    const { path = groups, method = 'POST', type = json, credentials = 'admin:admin' } = sent;
    const body = sent.body ?? { group: 'customers', users: ['alice'] };
    await sandbox.fetch(path, {
      method,
      headers: {
        'Content-Type': type,
        Authorization: `Basic ${btoa(credentials)}`,
        ...sent.headers,
        ...(reading !== undefined && { 'X-Fake-Reading': reading }),
      },
      ...(path.includes('/copySpace') ? {} : { body: JSON.stringify(body) }),
    });
    const [entry] = await sandbox.journal();
    return entry?.warnings ?? [];
  };

  const forgiving = gapIds.flatMap(gap =>
    gapSpec(gap).readings.flatMap(([name, , forgives]) => (forgives === undefined ? [] : [{ gap, name, forgives }])),
  );
  it('is a warning under its reading', async () => {
    for (const { gap, name, forgives } of forgiving) {
      const sent = mistakes[`${gap}=${name}`] ?? expect.fail(`no request with the mistake of ${gap}=${name}`);
      const warnings = await warningsOf(sent, `${gap}=${name}`);
      expect(
        warnings.filter(warning => warning.startsWith(forgives)),
        `${gap}=${name}`,
      ).to.have.length(1);
    }
  });

  it('is no warning for a request that follows the document', async () => {
    expect(await warningsOf({})).to.deep.equal([]);
  });

  it('is one warning on the terminal, however often it is made', () => {
    let text = '';
    const write: Writable['_write'] = (chunk, _, done) => {
      text += String(chunk);
      done();
    };
    const stderr = Object.assign(new Writable({ write }), { isTTY: true }) as OutputStream;
    const log = createLog('pretty', stderr, {});
    const asked = (operation: string) => {
      const result = { operation, gaps: { 'content-type': 'lenient' } } as never;
      log.request?.({ sandbox: 'default', method: 'POST', url: '/x', status: 200, duration: 1, result });
    };
    for (const operation of ['ppf.push', 'ppf.push', 'ppf.pull']) asked(operation);
    const warnings = stripVTControlCharacters(text).match(/warning: The body has no Content-Type application\/json\./g);
    expect(warnings).to.have.length(2);
  });
});
