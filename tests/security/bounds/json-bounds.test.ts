// JSON made to exhaust recursive readers: bodies of operations and of the control API, armed faults, responses of other servers.
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import { bodyOf } from '../../../server/engine/patterns/match.js';
import { DEEPEST_JSON, nestingProblem } from '../../../server/engine/request/nesting.js';
import { basic, type RawResponse, send, useServer } from '../../support/wire/server.js';

const list = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const object = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the depth of a JSON text', () => {
  it('may be 500, in lists, in objects and in both', () => {
    for (const text of [list(500), object(500), `${'[{"a":'.repeat(250)}1${'}]'.repeat(250)}`]) {
      expect(nestingProblem(text)).to.equal(undefined);
    }
  });

  it('is limited to 500, and more is reported', () => {
    expect(DEEPEST_JSON).to.equal(500);
    expect(nestingProblem(list(501))).to.equal('It is nested more than 500 levels deep, starting at character 501');
    expect(nestingProblem(object(501))).to.equal('It is nested more than 500 levels deep, starting at character 2501');
  });

  it('does not count brackets in texts or next to each other', () => {
    expect(nestingProblem(JSON.stringify('['.repeat(5000)))).to.equal(undefined);
    expect(nestingProblem(JSON.stringify([`"\\${'[{'.repeat(2000)}`, '\\']))).to.equal(undefined);
    expect(nestingProblem(`[${'[],'.repeat(5000)}[]]`)).to.equal(undefined);
    expect(nestingProblem(`["${'\\\\'.repeat(2000)}",${list(499)}]`)).to.equal(undefined);
    expect(nestingProblem(`["${'\\\\'.repeat(2000)}",${list(500)}]`)).to.match(/deep/);
  });
});

describe('JSON that is nested very deeply', () => {
  const server = useServer();

  const asked = (method: string, path: string, body: string | null = null): Promise<RawResponse> =>
    send(`${server.url}${path}`, {
      method,
      headers: { Authorization: basic('admin', 'admin'), ...(body !== null && { 'Content-Type': 'application/json' }) },
      body,
    });
  const problem = {
    status: 400,
    title: 'The body is nested too deep',
    detail: 'It is nested more than 500 levels deep, starting at character 501.',
  };

  for (const depth of [501, 90_000]) {
    for (const { id, method, path } of actions.filter(({ body }) => body !== undefined)) {
      it(`${depth} deep is refused by ${id}`, async () => {
        await asked('PUT', '/_fake/v1/sandboxes/deep', '{}');
        const { json } = await asked(method, `/_fake/v1${path.replace(/\{\w+\}/g, 'deep')}`, list(depth));
        expect(json).to.deep.equal(problem);
      });
    }

    it(`${depth} deep is judged by its shape in an operation, and the journal can still be read and recorded`, async () => {
      const push = '/~after/rest/cwx-ppf/latest/push';
      const taken = await asked('POST', push, `{"users":["alice"],"filters":[10500],"x":${list(depth)}}`);
      expect(taken).to.deep.include({
        status: 200,
        json: { success: true, messages: [] },
      });
      const refused = await send(`${server.url}${push}`, {
        method: 'POST',
        headers: { Authorization: basic('admin', 'admin'), 'Content-Type': 'application/vnd.api+json' },
        body: list(depth),
      });
      expect(refused.status).to.equal(400);
      const verified = await asked('POST', '/_fake/v1/sandboxes/after/journal/verify', '{"body":{"users":["alice"]}}');
      expect(verified.status).to.equal(417);
      for (const read of ['journal', 'recording'])
        expect((await asked('GET', `/_fake/v1/sandboxes/after/${read}`)).status).to.equal(200);
      expect((await asked('POST', '/_fake/v1/sandboxes/after/explain', '{"entry":1}')).status).to.equal(200);
      const recorded = await asked('GET', '/_fake/v1/sandboxes/after/recording');
      const { leftOut } = recorded.json as { leftOut: Array<{ why: string }> };
      expect(leftOut.at(-1)?.why).to.equal('Its body is nested deeper than a scenario allows.');
    });
  }

  it('at the allowed depth passes through every endpoint that stores it', async () => {
    const deep = list(450);
    await asked('PUT', '/_fake/v1/sandboxes/taken', '{}');
    const faults = `{"faults":[{"operation":"ppf.pull","times":1,"effect":{"status":503,"body":${deep}}}]}`;
    expect((await asked('PUT', '/_fake/v1/sandboxes/taken/faults', faults)).status).to.equal(200);
    const broken = await asked(
      'POST',
      '/~taken/rest/cwx-ppf/latest/pull',
      `{"users":["alice"],"filters":[10500],"x":${deep}}`,
    );
    expect(broken).to.deep.include({ status: 503, text: deep });
    const wish = `{"body":{"users":["alice"],"filters":[10500],"x":${deep}}}`;
    expect((await asked('POST', '/_fake/v1/sandboxes/taken/journal/verify', wish)).status).to.equal(200);
    for (const read of ['journal', 'recording', 'faults', 'diff'])
      expect((await asked('GET', `/_fake/v1/sandboxes/taken/${read}`)).status).to.equal(200);
  });

  it('sixty thousand unknown readings are reported as the first hundred', async () => {
    const none = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`g${i}`, 'x'])));
    const many: Array<readonly [method: string, path: string, body: string]> = [
      ['PUT', '/sandboxes/many/readings', none],
      ['POST', '/sandboxes', `{"readings":${none}}`],
    ];
    for (const [method, path, body] of many) {
      const { status, json } = await asked(method, `/_fake/v1${path}`, body);
      const { problems } = json as { problems: Array<{ message: string }> };
      expect({ status, length: problems.length }).to.deep.equal({ status: 400, length: 101 });
      expect(problems.map(({ message }) => message).filter((_, i) => i === 0 || i === 99 || i === 100)).to.deep.equal([
        'Unknown gap "g0"; cwx-fake ledger lists all gaps.',
        'Unknown gap "g99"; cwx-fake ledger lists all gaps.',
        'Only the first 100 problems are listed.',
      ]);
    }
  });

  it('in the query of a provider state is text', async () => {
    const { status } = await asked('POST', `/_fake/v1/provider-states?state=user+exists&name=${list(4000)}`);
    expect(status).to.be.below(500);
  });

  it('in a response of another server is its text', () => {
    expect(bodyOf({ text: list(100_000) })).to.equal(list(100_000));
  });
});
