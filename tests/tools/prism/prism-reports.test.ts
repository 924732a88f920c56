// Prism reports a wrong server, on our own documents: otherwise its silence about the fake would prove nothing.
import { expect } from 'chai';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { authorization, type HttpRequest } from '../../../server/derive/sending/call.js';
import { defaultReadings, layReadings } from '../../../server/operations/gaps/gaps.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import { ValidatingProxy } from './validating-proxy.js';

type Headers = Readonly<Record<string, string>>;

const json = { 'content-type': 'application/json' };
const push: HttpRequest = {
  method: 'POST',
  path: '/rest/cwx-ppf/latest/push',
  headers: { ...json, authorization: authorization({ user: 'admin', password: 'admin' }) },
  body: '{"users":["alice"],"filters":[10500]}',
};
const done = '{"success":true,"messages":[]}';

describe('Prism, before a wrong server', () => {
  let proxy: ValidatingProxy;
  before(async () => {
    proxy = await ValidatingProxy.start(openapiOf(defaultReadings));
  });
  after(() => proxy.stop());

  const lie = async (status: number, text: string, headers: Headers = json, on = proxy) =>
    (await on.pass(push, async () => respond(status, text, headers))).ofResponse.join('; ');

  const lies: ReadonlyArray<readonly [status: number, text: string, says: RegExp, headers?: Headers]> = [
    [200, done, /^$/],
    [400, '{"errorMessages":["So."],"errors":{}}', /^$/],
    [200, '{"success":true}', /must have required property 'messages'/],
    [200, '{"success":"true","messages":[]}', /success must be boolean/],
    [400, '{"errorMessages":[],"errors":{"a":"b"}}', /additional properties; found 'a'/],
    [200, done, /media type "text\/html" does not match/, { 'content-type': 'text/html' }],
  ];
  it('reports every response that is not documented, and no other', async () => {
    for (const [status, text, says, headers] of lies) expect(await lie(status, text, headers)).to.match(says);
  });

  it('is supplemented by the test if a response has an undocumented body, which it does not report', async () => {
    const silent = await ValidatingProxy.start(openapiOf(layReadings(defaultReadings, { 'ppf-error-body': 'empty' })));
    expect(await lie(403, '', {}, silent)).to.equal('');
    expect(await lie(403, '{}', json, silent)).to.equal('Unexpected body, but the document has none.');
    await silent.stop();
  });

  it('reports a path and a method that the document does not have', async () => {
    const asking = (request: Partial<HttpRequest>) =>
      proxy.pass({ ...push, ...request }, async () => respond(200, done));
    for (const request of [{ path: '/rest/cwx-ppf/latest/pushed' }, { method: 'PATCH' }])
      expect((await asking(request)).ofRequest).to.deep.equal(['Selected route not found']);
  });
});

function respond(status: number, text: string, headers: Headers = json): RawResponse {
  return { status, headers, fields: Object.entries(headers), text, bytes: new Uint8Array(Buffer.from(text)) };
}
