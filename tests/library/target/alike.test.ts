// One table of raw requests, sent in process and over HTTP: the responses are the same to the byte.

import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { anyServer } from '../../../harness/target/any-server.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { unsendables } from '../../../server/derive/sending/sending.js';
import { silentLog } from '../../../server/engine/log.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { assemble } from '../../../server/process/server.js';
import type { Running } from '../../../server/process/start.js';
import type { Received, Target } from '../../../server/scenario/play/target.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';
import { plainJournal } from '../../support/wire/plain-journal.js';
import { basic, serving } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const PUSH = '/rest/cwx-ppf/latest/push';
const EDIT = '/rest/cwxapiextension/latest/permissions/edit';
const UNIQUE = '/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=a&spaceName=b';
const right = basic('admin', 'admin');
const json = { 'Content-Type': 'application/json' };
const body = '{"group":"customers","users":["alice"]}';
const nobody = '{"group":"none","users":[]}';

/** A push with these credentials. */
const pushAs = (authorization: string, body = '{}'): Row => [
  'POST',
  PUSH,
  { ...json, Authorization: authorization },
  body,
];

type Row = readonly [method: string, path: string, headers?: HttpRequest['headers'], body?: HttpRequest['body']];

const rows: Readonly<Record<string, Row>> = {
  'a change': ['POST', ADD, json, body],
  'a refusal': ['POST', ADD, json, '{"group":"none","users":["alice"]}'],
  'no JSON': ['POST', ADD, json, '{"group":'],
  'a body with a mark in front': ['POST', ADD, json, `\uFEFF${body}`],
  'a form': ['POST', UNIQUE, { 'Content-Type': 'application/x-www-form-urlencoded' }],
  'a body in gzip': ['POST', ADD, { ...json, 'Content-Encoding': 'gzip' }, gzipSync(body)],
  'gzip that is none': ['POST', ADD, { ...json, 'Content-Encoding': 'gzip' }, body],
  'a body that is too large': ['POST', ADD, json, `"${'a'.repeat(2_000_000)}"`],
  'DELETE without a body': ['DELETE', `${EDIT}/65601`],
  'HEAD of the front page': ['HEAD', '/'],
  OPTIONS: ['OPTIONS', ADD],
  'a method of WebDAV': ['PROPFIND', ADD],
  'an empty first segment': ['GET', '//'],
  'dots in the path': ['POST', `/a/../wiki/..${ADD}`, json, body],
  'dots that lead to an operation': ['POST', `${EDIT}/../../groups/add-users`, json, body],
  'a backslash': ['POST', '\\rest\\cwx-ppf\\latest\\push'.replace('\\', '/'), json, '{}'],
  'encoded slashes': ['PUT', `${EDIT}/65%2F601`, json, '{}'],
  'what does not decode': ['PUT', `${EDIT}/%zz`, json, '{}'],
  'bytes in the path that are no UTF-8': ['PUT', `${EDIT}/%ff`, json, '{}'],
  'brackets and braces': ['GET', '/{a}[b]|^`<>"?x=[1]&{}=|'],
  'a fragment': ['POST', `${ADD}#f`, json, body],
  'a context path': ['POST', `/wiki${ADD}`, json, body],
  'an absolute address': ['POST', `http://localhost${PUSH}`, json, '{}'],
  'the right password': pushAs(right, '{"users":["alice"],"filters":[10500]}'),
  'blanks around a header': pushAs(` \tBasic   ${btoa('admin:admin')} `),
  'readings of its own': ['POST', ADD, { ...json, 'X-Fake-Reading': 'unknown-group=400' }, nobody],
  'the control API': ['GET', '/_fake/v1/sandboxes/default/world'],
  'a page of another site': ['POST', '/_fake/v1/sandboxes', { ...json, Origin: 'http://evil.example' }, '{}'],
};

/** The headers of a connection. */
const ofConnection = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

describe('in process and over HTTP', () => {
  let server: Running;
  let inside: Target;
  let outside: Target;
  let end = () => {};
  before(async () => {
    server = await serving();
    outside = anyServer(server.url);
    const assembled = await assemble(settingsFrom('small-team', {}), silentLog);
    if (isProblems(assembled)) throw new Error(JSON.stringify(assembled.problems));
    inside = inProcess(assembled, 'default');
    end = assembled.end;
  });
  after(async () => {
    end();
    await outside.close();
    await server.stop();
  });

  const compared = ({ status, headers, text }: Received) => ({
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name))),
    text,
  });

  for (const [what, [method, path, headers = {}, sent]] of Object.entries(rows)) {
    it(`${what}: the response is the same`, async () => {
      const named = { 'X-Request-Id': 'alike', ...headers }; // or each would be named after its own sandbox
      const request: HttpRequest = { method, path, headers: named, ...(sent !== undefined && { body: sent }) };
      expect(unsendables(request), 'it can be sent').to.deep.equal([]);
      const here = compared(await inside.send(request));
      const there = compared(await outside.send(request));
      expect(here).to.deep.equal(there);
      expect(there.status).to.be.within(200, 499);
    });
  }

  it('leave the same world and the same journal', async () => {
    for (const part of ['world', 'journal']) {
      const request = { method: 'GET', path: `/_fake/v1/sandboxes/default/${part}`, headers: {} };
      const [here, there] = [await inside.send(request), await outside.send(request)];
      const plain = ({ text }: Received) => plainJournal(text).replace(/"at":"[^"]*"/g, '"at":""');
      expect(plain(here)).to.equal(plain(there));
    }
  });
});
