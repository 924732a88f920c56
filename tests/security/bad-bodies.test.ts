// Bad bodies and numbers at every endpoint: no response is a bug of the server, and none reveals its inside.
import { expect } from 'chai';
import { actions } from '../../server/control/actions.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import { basic, send, useServer } from '../support/wire/server.js';

const CONTROL = '/_fake/v1/sandboxes/default';
const bodies = ['null', '{', '"text"', '\u00ff\u00fe', '{"users":{"a":1},"group":7,"to":"x"}'];
const numbers = ['1e999', '1e-400', '-0', '9'.repeat(1000), '0.1'];

/** Stack traces, modules, source files, paths of the machine, versions of Node.js. */
const INSIDE =
  /(?:^|\\n|\n)\s+at [^\n]{1,200}:\d+:\d+|node:internal|node_modules|file:\/\/|\.[cm]?[jt]s:\d+|\/(?:home|root|usr|tmp|work)\/|\bnode(?:\.js)?[/ ]v?\d+\.\d+/i;
/** Unknown codings, an unavailable store, no space. */
const DELIBERATE = [501, 503, 507];

describe('bad input', () => {
  const server = useServer();
  const authorization = basic('admin', 'admin');

  async function isHandled(method: string, path: string, body: string): Promise<void> {
    const bytes = Buffer.from(body, 'latin1');
    const { status, text, headers } = await send(server.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(!path.includes('/_fake/') && { authorization }) },
      ...(method !== 'GET' && body !== '' && { body: bytes }),
    });
    const sent = `${method} ${path.slice(0, 100)} ${body.slice(0, 100)}: ${status} ${text.slice(0, 500)}`;
    expect(status < 500 || DELIBERATE.includes(status), sent).to.equal(true);
    expect([headers.get('server'), headers.get('x-powered-by')]).to.deep.equal([null, null]);
    if (status >= 400) expect(INSIDE.test(text), sent).to.equal(false);
  }

  it('in the body is refused by every operation, without a word about the server', async () => {
    for (const { method, family, path } of operations)
      for (const body of bodies)
        await isHandled(method, canonicalPrefix(family) + path.replace(/\{\w+\}/g, 'none'), body);
  });

  it('in the body is refused by every action, without a word about the server', async () => {
    const isDrop = (id: string) => Number(id === 'sandboxes.drop');
    const finite = actions.filter(({ id }) => id !== 'events.read').toSorted((a, b) => isDrop(a.id) - isDrop(b.id));
    for (const { method, path } of finite)
      for (const body of method === 'GET' ? [''] : bodies) {
        const own = path.replace('{s}', 'default').replace(/\{\w+\}/g, 'none');
        await isHandled(method, `/_fake/v1${own}?at=x&limit=x`, body);
      }
  });

  it('is handled as a number by whatever takes one', async () => {
    for (const number of numbers) {
      const edit = `/rest/cwxapiextension/latest/permissions/edit/${number}`;
      await isHandled('POST', '/rest/cwx-ppf/latest/push', `{"users":["alice"],"filters":[${number}]}`);
      await isHandled('PUT', edit, '{"users":["alice"]}');
      await isHandled('GET', `${CONTROL}/journal?since=${number}&limit=${number}`, '');
      await isHandled('GET', `${CONTROL}/world?at=${number}`, '');
      await isHandled('POST', `${CONTROL}/explain`, `{"entry":${number}}`);
      await isHandled('PATCH', `${CONTROL}/world`, `{"nextPageId":${number}}`);
      await isHandled('PUT', `${CONTROL}/clock`, `{"advance":${number}}`);
      await isHandled('POST', `${CONTROL}/rewind`, `{"to":${number}}`);
    }
  });
});
