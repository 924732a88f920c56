// Prism reports a wrong server, on our own documents: otherwise its silence about the fake would prove nothing.
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import { controlOpenapi } from '../../../server/control/control-openapi.js';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { authorization, type HttpRequest } from '../../../server/derive/sending/call.js';
import { defaultReadings, layReadings } from '../../../server/operations/gaps/gaps.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import { ValidatingProxy } from './validating-proxy.js';

type Headers = Readonly<Record<string, string>>;

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: { readonly responses?: Responses };
}
type Responses = Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;

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

  const lie = async (status: number, text: string, headers: Headers = json, on = proxy, request = push) =>
    (await on.pass(request, async () => respond(status, text, headers))).ofResponse.join('; ');

  it('reports nothing about a documented response', async () => {
    expect(await lie(200, done)).to.equal('');
    expect(await lie(400, '{"errorMessages":["So."],"errors":{}}')).to.equal('');
  });

  const lies: ReadonlyArray<readonly [what: string, status: number, text: string, says: RegExp, headers?: Headers]> = [
    ['a required field that is missing', 200, '{"success":true}', /must have required property 'messages'/],
    ['a field of another type', 200, '{"success":"true","messages":[]}', /success must be boolean/],
    ['a field too many further in', 400, '{"errorMessages":[],"errors":{"a":"b"}}', /additional properties; found 'a'/],
    ['another content type', 200, done, /media type "text\/html" does not match/, { 'content-type': 'text/html' }],
  ];
  for (const [what, status, text, says, headers] of lies)
    it(`reports ${what}`, async () => {
      expect(await lie(status, text, headers)).to.match(says);
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

  it('finds wrong values in every body that the documents describe', async () => {
    const { silent, tried } = await missed(openapiOf(defaultReadings), proxy);
    expect(silent).to.deep.equal([]);
    expect(tried).to.be.above(90);
    const document = controlOpenapi(actions, '0.0.0');
    const control = await ValidatingProxy.start(document);
    const ofControl = await missed(document, control);
    await control.stop();
    expect(ofControl.silent).to.deep.equal([]);
    expect(ofControl.tried).to.be.above(60);
  });

  /** Replaces every documented body by a text, and returns those that Prism accepts. */
  async function missed(document: object, on: ValidatingProxy): Promise<{ silent: string[]; tried: number }> {
    const { paths, components } = document as Documented; // an OpenAPI document, already linted
    const silent: string[] = [];
    let tried = 0;
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods))
        for (const [status, response] of Object.entries(responses)) {
          const { content = {} } = components.responses?.[response.$ref?.split('/').at(-1) ?? ''] ?? response;
          const [type = ''] = Object.keys(content).filter(one => one.includes('json'));
          if (type === '') continue;
          tried++;
          const request = { method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, '1'), headers: {} };
          const says = await lie(Number(status.replace('XX', '18')), '"a text"', { 'content-type': type }, on, request);
          if (!/Response body must be/.test(says)) silent.push(`${method} ${path} ${status}: ${says}`);
        }
    return { silent, tried };
  }
});

function respond(status: number, text: string, headers: Headers = json): RawResponse {
  return { status, headers, fields: Object.entries(headers), text, bytes: new Uint8Array(Buffer.from(text)) };
}
