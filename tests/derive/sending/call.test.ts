// The exact HTTP request of a call.
import { expect } from 'chai';
import { authorization, type CallAddress, requestFor } from '../../../server/derive/sending/call.js';
import { push } from '../../../server/operations/push-pull/push-pull.js';
import { addUsers } from '../../../server/operations/wiki/groups.js';
import { editAdd } from '../../../server/operations/wiki/permissions.js';
import { isUnique } from '../../../server/operations/wiki/spaces.js';

const WIKI = '/rest/cwxapiextension/latest';

describe('requestFor', () => {
  it('returns method, path, body and their headers, and nothing else', () => {
    expect(requestFor(addUsers, { body: { group: 'a', users: ['b'] } })).to.deep.equal({
      method: 'POST',
      path: `${WIKI}/groups/add-users`,
      headers: { 'Content-Type': 'application/json' },
      body: '{"group":"a","users":["b"]}',
    });
    expect(requestFor(isUnique, { query: { spaceKey: 'ds', spaceName: 'Other' } })).to.deep.equal({
      method: 'POST',
      path: `${WIKI}/spaces/isUnique?spaceKey=ds&spaceName=Other`,
      headers: {},
    });
    expect(requestFor(push)).to.deep.equal({ method: 'POST', path: '/rest/cwx-ppf/latest/push', headers: {} });
  });

  it('sends every JSON value as a body', () => {
    for (const body of [null, false, 0, '', [], {}])
      expect(requestFor(push, { body })).to.deep.include({
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      });
  });

  it('encodes the segments of a path', () => {
    for (const [value, encoded] of [
      [65601, '65601'],
      ['a/b', 'a%2Fb'],
      ['50% +&?#;=', '50%25%20%2B%26%3F%23%3B%3D'],
      ['%2F', '%252F'],
      ['half \ud83d of a pair', 'half%20%EF%BF%BD%20of%20a%20pair'],
      [undefined, ''],
      [null, 'null'],
      [{ a: 1 }, '%7B%22a%22%3A1%7D'],
    ])
      expect(requestFor(editAdd, { params: { pageId: value } }).path).to.equal(`${WIKI}/permissions/edit/${encoded}`);
  });

  it('encodes a query', () => {
    const queries: ReadonlyArray<readonly [query: Record<string, unknown>, search: string]> = [
      [{}, ''],
      [{ a: undefined, b: [] }, ''],
      [{ a: '' }, '?a='],
      [{ a: ['1', 2, undefined, true], b: false }, '?a=1&a=2&a=true&b=false'],
      [{ a: 'x y+z&w=%2F/😀' }, '?a=x+y%2Bz%26w%3D%252F%2F%F0%9F%98%80'],
      [{ 'ä&': 'half \ud83d' }, '?%C3%A4%26=half+%EF%BF%BD'],
      [JSON.parse('{ "__proto__": "a", "constructor": "b" }'), '?__proto__=a&constructor=b'],
      [{ a: null, b: { c: [1] } }, '?a=null&b=%7B%22c%22%3A%5B1%5D%7D'],
    ];
    for (const [query, search] of queries)
      expect(requestFor(isUnique, { query }).path).to.equal(`${WIKI}/spaces/isUnique${search}`);
  });

  it('names the caller', () => {
    expect(requestFor(push, { as: { token: 'admin-token' } }).headers).to.deep.equal({
      Authorization: 'Bearer admin-token',
    });
    expect(requestFor(push, { as: { user: 'admin', password: 'admin' } }).headers).to.deep.equal({
      Authorization: 'Basic YWRtaW46YWRtaW4=',
    });
    const shown = authorization({ user: 'Zoë', password: 'a:b 😀' });
    expect(Buffer.from(shown.replace('Basic ', ''), 'base64').toString('utf8')).to.equal('Zoë:a:b 😀');
  });

  it('names the readings', () => {
    const readings = { 'unknown-user': '400', 'context-path': '/wiki' } as const;
    expect(requestFor(push, { readings }).headers).to.deep.equal({
      'X-Fake-Reading': 'unknown-user=400, context-path=/wiki',
    });
    expect(requestFor(push, { readings: {} }).headers).to.deep.equal({});
  });

  it('replaces its own headers by the given ones, in any case', () => {
    const headers = { 'content-type': 'text/plain', AUTHORIZATION: 'Basic x', 'x-fake-reading': 'a=b', 'X-More': '1' };
    const as = { token: 't' };
    expect(requestFor(push, { as, body: {}, readings: { 'no-change': '409' }, headers }).headers).to.deep.equal(
      headers,
    );
  });

  it('goes below a context path and the given prefix, which only the wiki has', () => {
    const path = (address: CallAddress) => requestFor(addUsers, {}, address).path;
    expect(path({ context: '/wiki' })).to.equal(`/wiki${WIKI}/groups/add-users`);
    expect(path({ context: '/~a/wiki', wikiPrefix: '/cwxapiextension' })).to.equal(
      '/~a/wiki/cwxapiextension/latest/groups/add-users',
    );
    expect(requestFor(push, {}, { context: '/jira', wikiPrefix: '/cwxapiextension' }).path).to.equal(
      '/jira/rest/cwx-ppf/latest/push',
    );
  });
});
