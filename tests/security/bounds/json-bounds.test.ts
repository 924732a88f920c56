// JSON made to exhaust recursive readers: bodies of operations and of the control API, armed faults, responses of other servers.
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import { bodyOf } from '../../../server/engine/patterns/match.js';
import { nestingProblem } from '../../../server/engine/request/nesting.js';
import { basic, entriesIn, type RawResponse, send, sendJson, useServer } from '../../support/wire/server.js';

const list = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const object = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the depth of a JSON text', () => {
  for (const [what, text, problemAt] of [
    ['500 lists', list(500)],
    ['500 objects', object(500)],
    ['500 of both', `${'[{"a":'.repeat(250)}1${'}]'.repeat(250)}`],
    ['brackets next to each other', `[${'[],'.repeat(5000)}[]]`],
    ['brackets in texts', JSON.stringify([`"\\${'[{'.repeat(2000)}`, '\\'])],
    ['501 lists', list(501), 501],
    ['501 objects', object(501), 2501],
    ['501 lists behind a text', `["${'\\\\'.repeat(2000)}",${list(500)}]`, 4504],
  ] as const)
    it(`${problemAt === undefined ? 'allows' : 'is too great in'} ${what}`, () =>
      expect(nestingProblem(text)).to.equal(
        problemAt && `It is nested more than 500 levels deep, starting at character ${problemAt}`,
      ));
});

describe('JSON that is nested very deeply', () => {
  const server = useServer();

  const asked = (method: string, path: string, body: string | null = null): Promise<RawResponse> =>
    send(`${server.url}${path}`, {
      method,
      headers: { Authorization: basic('admin', 'admin'), ...(body !== null && { 'Content-Type': 'application/json' }) },
      body,
    });
  const push = (sandbox: string, x: string) =>
    asked('POST', `/~${sandbox}/rest/cwx-ppf/latest/push`, `{"users":["alice"],"filters":[10500],"x":${x}}`);
  const isRead = async (sandbox: string, reads: readonly string[]) => {
    for (const read of reads)
      expect((await asked('GET', `/_fake/v1/sandboxes/${sandbox}/${read}`)).status).to.equal(200);
  };

  it('is refused by every action', async () => {
    for (const { id, method, path } of actions.filter(({ body }) => body !== undefined)) {
      await asked('PUT', '/_fake/v1/sandboxes/deep', '{}');
      const { json } = await asked(method, `/_fake/v1${path.replace(/\{\w+\}/g, 'deep')}`, list(90_000));
      expect(json, id).to.deep.equal({
        status: 400,
        title: 'The body is nested too deep',
        detail: 'It is nested more than 500 levels deep, starting at character 501.',
      });
    }
  });

  it('is judged by its shape in an operation, and the journal can still be read and recorded', async () => {
    expect(await push('after', list(90_000))).to.deep.include({ status: 200, json: { success: true, messages: [] } });
    const verified = await asked('POST', '/_fake/v1/sandboxes/after/journal/verify', '{"body":{"users":["alice"]}}');
    expect(verified.status).to.equal(417);
    expect((await asked('POST', '/_fake/v1/sandboxes/after/explain', '{"entry":1}')).status).to.equal(200);
    await isRead('after', ['journal', 'recording']);
    const { leftOut } = (await asked('GET', '/_fake/v1/sandboxes/after/recording')).json as { leftOut: object[] };
    expect(leftOut).to.have.nested.property('[0].why', 'Its body is nested deeper than a scenario allows.');
  });

  it('passes through every endpoint that stores it at the allowed depth', async () => {
    const deep = list(450);
    await asked('PUT', '/_fake/v1/sandboxes/taken', '{}');
    const faults = `{"faults":[{"operation":"ppf.push","times":1,"effect":{"status":503,"body":${deep}}}]}`;
    expect((await asked('PUT', '/_fake/v1/sandboxes/taken/faults', faults)).status).to.equal(200);
    expect(await push('taken', deep)).to.deep.include({ status: 503, text: deep });
    const wish = `{"body":{"users":["alice"],"filters":[10500],"x":${deep}}}`;
    expect((await asked('POST', '/_fake/v1/sandboxes/taken/journal/verify', wish)).status).to.equal(200);
    await isRead('taken', ['journal', 'recording', 'faults', 'diff']);
  });

  it('is text in the query of a provider state and in a response of another server', async () => {
    const { status } = await asked('POST', `/_fake/v1/provider-states?state=user+exists&name=${list(4000)}`);
    expect(status).to.be.below(500);
    expect(bodyOf({ text: list(100_000) })).to.equal(list(100_000));
  });

  it('is refused before it is parsed if it has more than 100,000 values', async () => {
    const body = { x: Array(100_001).fill([]) };
    const add = `${server.url}/~wide/rest/cwxapiextension/latest/groups/add-users`;
    expect((await sendJson(add, 'POST', body, 'admin')).text).to.include('The body has more than 100000 values.');
    const { json } = await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', body);
    expect(json).to.deep.include({ status: 413, detail: 'It has more than 100000 values.' });
    expect((await entriesIn(server, 'wide'))[0]).to.deep.nested.include({
      'request.unread': { kind: 'too-large', limit: 100_000, of: 'values' },
    });
  });
});
