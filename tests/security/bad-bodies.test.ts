// Bad bodies and numbers at every endpoint: no response is a bug of the server, and none reveals its inside.
import { expect } from 'chai';
import { actions } from '../../server/control/actions.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import type { Running } from '../../server/process/start.js';
import { basic, send, serving } from '../support/wire/server.js';

const CONTROL = '/_fake/v1/sandboxes/default';
const bodies = ['null', '{', '"text"', '\u00ff\u00fe', '{"users":{"a":1},"group":7,"to":"x"}'];
const numbers = ['1e999', '1e-400', '-0', '9'.repeat(1000), '0.1'];

/** Stack traces, modules, source files, paths of the machine, versions of Node.js. */
const INSIDE =
  /(?:^|\\n|\n)\s+at [^\n]{1,200}:\d+:\d+|node:internal|node_modules|file:\/\/|\.[cm]?[jt]s:\d+|\/(?:home|root|usr|tmp|work)\/|\bnode(?:\.js)?[/ ]v?\d+\.\d+/i;
/** Unknown codings, an unavailable store, no space. */
const DELIBERATE = [501, 503, 507];

describe('bad input', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  async function isHandled(method: string, path: string, body: string): Promise<void> {
    const { status, text, headers } = await send(server.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(!path.includes('/_fake/') && { authorization: basic('admin', 'admin') }),
      },
      ...(method !== 'GET' && body !== '' && { body: Buffer.from(body, 'latin1') }),
    });
    const sent = `${method} ${path.slice(0, 100)} ${body.slice(0, 100)}: ${status} ${text.slice(0, 500)}`;
    expect(status < 500 || DELIBERATE.includes(status), sent).to.equal(true);
    expect({ server: headers.get('server'), xPoweredBy: headers.get('x-powered-by') }).to.deep.equal({
      server: null,
      xPoweredBy: null,
    });
    if (status >= 400) expect(INSIDE.test(text), sent).to.equal(false);
  }

  it('in the body is refused by every operation, without a word about the server', async () => {
    for (const { method, family, path } of operations)
      for (const body of bodies)
        await isHandled(method, canonicalPrefix(family) + path.replace(/\{\w+\}/g, 'none'), body);
  });

  it('in the body is refused by every action, without a word about the server', async () => {
    const dropping = actions.filter(({ id }) => id === 'sandboxes.drop');
    for (const { method, path, id } of [...actions.filter(action => !dropping.includes(action)), ...dropping])
      if (id !== 'events.read')
        // it does not end
        for (const body of method === 'GET' ? [''] : bodies)
          await isHandled(
            method,
            `/_fake/v1${path.replace('{s}', 'default').replace(/\{\w+\}/g, 'none')}?at=x&limit=x`,
            body,
          );
  });

  for (const number of numbers)
    it(`is handled as a number by whatever takes one: ${number.slice(0, 20)}`, async () => {
      const edit = `/rest/cwxapiextension/latest/permissions/edit/${number}`;
      await isHandled('POST', '/rest/cwx-ppf/latest/push', `{"users":["alice"],"filters":[${number}]}`);
      await isHandled('PUT', edit, '{"users":["alice"]}');
      await isHandled('GET', `${CONTROL}/journal?since=${number}&limit=${number}`, '');
      await isHandled('GET', `${CONTROL}/world?at=${number}`, '');
      await isHandled('POST', `${CONTROL}/explain`, `{"entry":${number}}`);
      await isHandled('PATCH', `${CONTROL}/world`, `{"nextPageId":${number}}`);
      await isHandled('PUT', `${CONTROL}/clock`, `{"advance":${number}}`);
      await isHandled('POST', `${CONTROL}/rewind`, `{"to":${number}}`);
      expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
    });
});
