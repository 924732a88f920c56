// Splits an address into prefix, context, sandbox and the rest, and refuses others.
import { expect } from 'chai';
import { type Address, locate, SANDBOX_NAME, sandboxIn } from '../../server/operations/address.js';

const plain = { prefix: 'rest', context: '' } as const;
const wiki = (more: Partial<Address> = {}): Address => ({
  family: 'wiki',
  ...plain,
  rest: '/groups/add-users',
  ...more,
});
const ppf = (more: Partial<Address> = {}): Address => ({ family: 'ppf', ...plain, rest: '/push', ...more });

describe('locate', () => {
  const known: [rule: string, path: string, address: Address][] = [
    ['address.no-context-path', '/rest/cwxapiextension/latest/groups/add-users', wiki()],
    ['address.no-context-path', '/rest/cwx-ppf/latest/push', ppf()],
    ['address.context-path', '/wiki/rest/cwxapiextension/latest/groups/add-users', wiki({ context: '/wiki' })],
    ['address.context-path', '/jira/rest/cwx-ppf/latest/push', ppf({ context: '/jira' })],
    ['address.context-path', '/con fluence%2F/rest/cwx-ppf/latest/push', ppf({ context: '/con fluence%2F' })],
    ['address.extension-path', '/rest/api/cwxapiextension/latest/groups/add-users', wiki({ prefix: 'rest-api' })],
    ['address.extension-path', '/cwxapiextension/latest/groups/add-users', wiki({ prefix: 'bare' })],
    [
      'address.extension-path',
      '/wiki/cwxapiextension/latest/groups/add-users',
      wiki({ prefix: 'bare', context: '/wiki' }),
    ],
    [
      'address.extension-path',
      '/wiki/rest/api/cwxapiextension/latest/groups/add-users',
      wiki({ prefix: 'rest-api', context: '/wiki' }),
    ],
    ['a sandbox', '/~test-42/rest/cwx-ppf/latest/push', ppf({ sandbox: 'test-42' })],
    ['a sandbox with a context', '/~a.b_c/jira/rest/cwx-ppf/latest/push', ppf({ sandbox: 'a.b_c', context: '/jira' })],
    ['a sandbox, bare', '/~x/cwxapiextension/latest/groups/add-users', wiki({ sandbox: 'x', prefix: 'bare' })],
    ['what is below it is not judged', '/rest/cwx-ppf/latest/nothing/here', ppf({ rest: '/nothing/here' })],
    ['a tilde further in is no sandbox', '/rest/cwx-ppf/latest/~x', ppf({ rest: '/~x' })],
    [
      'an address within a page id',
      '/rest/cwxapiextension/latest/permissions/edit/rest/cwx-ppf/latest/push',
      wiki({ rest: '/permissions/edit/rest/cwx-ppf/latest/push' }),
    ],
    ['a context that is called rest', '/rest/rest/cwx-ppf/latest/push', ppf({ context: '/rest' })],
    ['a version in the place of latest', '/rest/cwx-ppf/1.0/push', ppf({ version: '1.0' })],
    ['a slash at the end', '/rest/cwx-ppf/latest/push/', ppf({ hasSlash: true })],
    ['dots stay as they are', '/../rest/cwx-ppf/latest/push', ppf({ context: '/..' })],
  ];
  it('splits a known address into its parts', () => {
    for (const [rule, path, address] of known) expect(locate(path), rule).to.deep.equal(address);
  });

  const unknown: [why: string, path: string][] = [
    ['address.context-path: an empty segment is none', '//rest/cwx-ppf/latest/push'],
    ['address.context-path: a context and an empty segment', '/wiki//rest/cwx-ppf/latest/push'],
    ['address.ppf-path: without rest', '/cwx-ppf/latest/push'],
    ['address.ppf-path: below rest/api', '/rest/api//cwx-ppf/latest/push'],
    ['address.ppf-path: another word for the version', '/rest/cwx-ppf/newest/push'],
    ['address.ppf-path: doubled slashes', '/rest//cwx-ppf/latest/push'],
    ['address.extension-path: nothing below', '/rest/cwxapiextension/latest'],
    ['address.extension-path: a prefix that only begins like it', '/rest/cwxapiextension/latestgroups/add-users'],
    ['address.case-sensitive: REST', '/REST/cwx-ppf/latest/push'],
    ['address.case-sensitive: Latest', '/rest/cwx-ppf/Latest/push'],
    ['address.case-sensitive: CWX', '/rest/CwxApiExtension/latest/groups/add-users'],
    ['the root', '/'],
    ['nothing', ''],
    ['a sandbox alone', '/~x'],
    ['the control API', '/_fake/health'],
  ];
  it('knows no other address', () => {
    for (const [why, path] of unknown) expect(locate(path), why).to.equal(undefined);
  });
});

describe('sandboxIn', () => {
  it('splits a path into its sandbox and the rest', () => {
    expect(sandboxIn('/~x/a/b')).to.deep.equal({ sandbox: 'x', path: '/a/b' });
    for (const path of ['/~x', '/~x/']) expect(sandboxIn(path)).to.deep.equal({ sandbox: 'x', path: '/' });
    expect(sandboxIn('/~/a')).to.deep.equal({ sandbox: '', path: '/a' });
    expect(sandboxIn('/a/~x')).to.deep.equal({ path: '/a/~x' });
  });

  it('a sandbox has a name of 1 to 64 letters, digits, dots, underlines and hyphens', () => {
    for (const name of ['a', 'A-z_0.9', 'x'.repeat(64), '__proto__', '...', '.a'])
      expect(SANDBOX_NAME.test(name)).to.equal(true);
    for (const name of ['', '.', '..', 'x'.repeat(65), 'a b', 'a/b', 'ä', 'a%20', 'a\n'])
      expect(SANDBOX_NAME.test(name)).to.equal(false);
  });
});
