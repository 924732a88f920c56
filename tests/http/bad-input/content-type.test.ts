// Invalid, missing and unusual content types, under both readings of the gap content-type; and the ways to announce a body.
import { expect } from 'chai';
import { entriesIn, sendRaw, useServer } from '../../support/wire/server.js';
import { withBody } from '../../support/worlds/valid.js';
import { ask, bytesOf, freshSandbox, gotFrom, refuses, worldOf } from './wire.js';

const json = [
  'application/json',
  'application/json;charset=utf-8',
  'application/json ; charset="utf-8"',
  'application/json; odata=verbose',
];
const others = [
  'application/x+json',
  'text/plain',
  'application/json; charset=iso-8859-1',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  '/',
  '__proto__',
  'application/json, text/plain',
];

describe('content types', () => {
  const server = useServer();

  for (const type of [...json, ...others, null]) {
    const isJson = type !== null && json.includes(type);
    const shown = type === null ? 'no content type' : `the content type ${JSON.stringify(type)}`;

    it(`content-type=lenient: ${shown} is read`, async () => {
      const sandbox = await freshSandbox(server);
      const got = await ask(server, sandbox, { headers: { 'content-type': type } });
      expect(got).to.include({ status: 200, text: '{}' });
      expect(JSON.parse(await worldOf(server, sandbox)))
        .to.have.nested.property('groups.customers')
        .that.deep.equals(['alice']);
    });

    it(`content-type=415: ${shown} is ${isJson ? 'read' : 'refused'}`, async () => {
      const headers = { 'content-type': type, 'x-fake-reading': 'content-type=415' };
      if (!isJson) {
        const message = `The body has ${shown}: send application/json.`;
        await refuses(server, { headers }, { status: 415, code: 'body-content-type', message });
        return;
      }
      const sandbox = await freshSandbox(server);
      expect((await ask(server, sandbox, { headers })).status).to.equal(200);
    });
  }

  it('are noted in the journal if 415 refuses them, for every operation with a body', async () => {
    const message = 'The body has the content type "text/plain": send application/json.';
    for (const id of withBody) {
      const sandbox = await freshSandbox(server);
      const headers = { 'content-type': 'text/plain', 'x-fake-reading': 'content-type=415' };
      await refuses(server, { id, headers }, { status: 415, code: 'body-content-type', message }, sandbox);
      expect((await entriesIn(server, sandbox)).at(-1)?.gaps).to.include({ 'content-type': '415' });
    }
  });

  it('content-type=lenient: a form is not JSON; content-type=415: it is another type', async () => {
    const form = (reading: string) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-fake-reading': `content-type=${reading}` },
      body: 'group=customers',
    });
    const notJson = {
      status: 400,
      code: 'body-not-json',
      message: /^The body is not JSON: Unexpected token 'g'/,
    } as const;
    await refuses(server, form('lenient'), notJson);
    const message = /^The body has the content type "application\/x-www-form-urlencoded"/;
    await refuses(server, form('415'), { status: 415, code: 'body-content-type', message });
  });
});

describe('announced bodies', () => {
  const server = useServer();

  for (const framing of ['length', 'chunked'] as const) {
    it(`with Expect: 100-continue are requested, and answered (${framing})`, async () => {
      const sandbox = await freshSandbox(server);
      const raw = await sendRaw(server.url, bytesOf({ framing, headers: { expect: '100-continue' } }, sandbox));
      expect(raw).to.match(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
      expect(gotFrom(raw).text).to.equal('{}');
    });
  }

  it('with another expectation are refused with 417, without any effect', async () => {
    const sandbox = await freshSandbox(server);
    const before = await worldOf(server, sandbox);
    expect((await ask(server, sandbox, { headers: { expect: 'miracles' } })).status).to.equal(417);
    expect(await worldOf(server, sandbox)).to.equal(before);
  });
});
