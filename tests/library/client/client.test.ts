// The typed client against a running server: every example of every operation, callers, unusual values, and readings for one
// call.
import { expect } from 'chai';
import type { CallAddress, Proof } from '../../../server/derive/sending/call.js';
import { clientAt, startFake } from '../../../server/index.js';
import { clientFor, type Send } from '../../../server/library/client/client.js';
import type { AnyResponse } from '../../../server/library/client/received.js';
import { operations, restResources } from '../../../server/operations/catalog/catalog.js';
import type { Example, Operation } from '../../../server/operations/operation.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { REFUSED } from '../../support/wire/connection-failures.js';
import { useServer } from '../../support/wire/server.js';
import { failure } from '../../support/worlds/failure.js';
import { useFake } from '../../support/worlds/use-fake.js';

const admin: Proof = { user: 'admin', password: 'admin' };
const names = { groups: ['team-members'], users: ['alice'] };
const joining = { group: 'team-members', users: ['demouser2'] };
const pushing = { users: ['alice'], filters: [10500] };

describe('the client', () => {
  const server = useServer();
  let sandboxes = 0;

  const send: Send = async ({ method, path, headers, body }) => {
    const init = { method, headers, ...(body !== undefined && { body: String(body) }) };
    const response = await fetch(server.url + path, init);
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };
  /** A client of a world of its own. */
  const fresh = (as?: Proof, address: CallAddress = {}) =>
    clientFor(send, as, { ...address, context: `/~client-${++sandboxes}${address.context ?? ''}` });

  for (const operation of operations) {
    for (const example of operation.examples) {
      it(`calls ${operation.id}: ${example.title}`, async () => {
        const client = fresh(recordedCaller(example)) as unknown as Record<
          string,
          Record<string, (call: object) => Promise<AnyResponse>>
        >;
        const [resource = '', name = ''] = operation.id.split('.');
        const method = client[resource]?.[name.replace(/-./g, ([, letter = '']) => letter.toUpperCase())];
        if (method === undefined) expect.fail(`there is no method for ${operation.id}`);
        hold(await method(callOf(operation, example)), operation, example);
      });
    }
  }

  it('has a method for each operation and no other', () => {
    const { call, ...resources } = clientFor(send);
    expect(call).to.be.a('function');
    expect(resources).to.have.all.keys('groups', 'permissions', 'spaces', 'ppf', 'confluence', 'jira');
    const methods = Object.values(resources).flatMap(each => Object.keys(each));
    expect(methods).to.have.lengthOf(operations.length + restResources.length);
  });

  it('returns what decided', async () => {
    const response = await fresh(admin).groups.addUsers({ body: joining });
    expect(response).to.deep.include({
      ok: true,
      status: 200,
      body: {},
      rules: ['groups.body', 'groups.add-users'],
      gaps: { 'wiki-success': 'object' },
    });
    expect(response.headers).to.include({ 'x-fake-operation': 'groups.add-users' });
    expect(response).not.to.have.property('message');
  });

  it('returns the reason for a refusal', async () => {
    const response = await fresh(admin).groups.addUsers({ body: { group: 'team-members', users: ['bob'] } });
    expect(response).to.deep.include({
      ok: false,
      status: 404,
      gaps: { 'unknown-user': '404', 'wiki-error-body': 'confluence', 'error-text': 'detailed' },
    });
    const { message, body } = response as { message?: string; body: unknown };
    expect(message).to.contain('"bob"');
    expect(body).to.deep.equal({ statusCode: 404, message, reason: 'Not Found' });
  });

  const callers: [who: string, as: Proof | undefined, status: number][] = [
    ['a user with the password', admin, 200],
    ['a token', { token: 'admin-token' }, 200],
    ['a user without a password of its own', { user: 'alice', password: 'any: 😀' }, 403],
    ['an anonymous caller', undefined, 403],
    ['a user with a wrong password', { user: 'admin', password: 'wrong' }, 401],
    ['an unknown token', { token: 'wrong' }, 401],
  ];
  for (const [who, as, status] of callers) {
    it(`calls as ${who}: ${status}`, async () => {
      const response = await fresh(as).ppf.push({ body: pushing });
      expect(response).to.include({ status, ok: status === 200 });
      if (!response.ok) expect(response.message).to.be.a('string').and.not.equal('');
    });
  }

  it('sends any text unchanged in a path and in a query', async () => {
    const value = '100% a/b+c &d=e?f#;,😀 %2F';
    const inPath = await fresh(admin).permissions.editAdd({ params: { pageId: value }, body: names });
    expect(inPath).to.have.property('message').that.contains(JSON.stringify(value));
    const query = { spaceKey: 'ds', pageTitle: value };
    const inQuery = await fresh(admin).spaces.replaceInPage({ query, body: [] });
    expect(inQuery).to.have.property('message').that.contains(JSON.stringify(value));
  });

  it('sends an empty value in a query; in a path there is no such address', async () => {
    const inQuery = await fresh(admin).spaces.replaceInPage({ query: { spaceKey: 'ds', pageTitle: '' }, body: [] });
    expect(inQuery).to.have.property('message').that.contains('the title ""');
    const inPath = await fresh(admin).permissions.editAdd({ params: { pageId: '' }, body: names });
    expect(inPath).to.include({ ok: false, status: 404 });
    expect(inPath.headers).not.to.have.property('x-fake-operation');
  });

  it('uses readings for one call only', async () => {
    const client = fresh(admin);
    const unknown = { group: 'team-members', users: ['bob'] };
    const readings = { 'unknown-user': '400', 'wiki-error-body': 'messages' } as const;
    const refused = await client.groups.addUsers({ body: unknown, readings });
    expect(refused).to.have.property('message').that.contains('"bob"');
    expect(refused).to.deep.include({
      ok: false,
      status: 400,
      gaps: { ...readings, 'error-text': 'detailed' },
    });
    expect(await client.call('groups.add-users', { body: unknown })).to.include({ ok: false, status: 404 });
  });
});

describe('clientAt', () => {
  const fake = useFake(startFake);

  it('calls a server as a user, and reads its response', async () => {
    const box = fake.sandbox();
    const response = await clientAt(box.url, { user: 'admin', password: 'admin' }).ppf.push({
      body: { users: ['alice'], filters: [10500] },
    });
    expect(response.ok && response.body).to.deep.equal({ success: true, messages: [] });
    expect((await box.world()).favourites?.alice).to.deep.equal({ filters: [10500], dashboards: [] });
  });

  it('calls below a context path, with a slash at the end or without, and below another prefix', async () => {
    const box = fake.sandbox();
    for (const url of [`${fake.url}/wiki`, `${fake.url}/wiki/`])
      expect(
        (await clientAt(url, { token: 'admin-token' }).spaces.isUnique({ query: { spaceKey: 'x', spaceName: 'y' } }))
          .ok,
      ).to.equal(true);
    await clientAt(box.url, undefined, { wikiPrefix: '/cwxapiextension' }).spaces.isUnique({
      query: { spaceKey: 'x', spaceName: 'y' },
    });
    const [entry] = await box.journal();
    expect(entry?.url).to.equal(`/~${box.name}/cwxapiextension/latest/spaces/isUnique?spaceKey=x&spaceName=y`);
  });

  it('reports an invalid URL', () => {
    expect(() => clientAt('localhost:8080')).to.throw(TypeError, '"localhost:8080" is not a base URL: ');
  });

  it('reports a server that does not answer', async () => {
    const asking = clientAt('http://127.0.0.1:9').ppf.push({ body: { users: ['alice'], filters: [1] } });
    const error = await failure(asking, Unreachable);
    expect(error.message).to.equal(`http://127.0.0.1:9 does not respond: ${REFUSED}`);
  });
});

function recordedCaller({ as }: Example): Proof | undefined {
  return as === undefined ? undefined : { user: as, password: as };
}

/** The call of an example, whose query is text, with the types of the schemas. */
function callOf({ query: fields = {} }: Operation, { params, query, body }: Example): object {
  const values = Object.entries(query ?? {}).map(([name, text]) => [
    name,
    fields[name]?.type === 'boolean' ? text === 'true' : text,
  ]);
  return {
    ...(params && { params }),
    ...(query && { query: Object.fromEntries(values) }),
    ...(body !== undefined && { body }),
  };
}

function hold(response: AnyResponse, operation: Operation, { response: { status, body } }: Example): void {
  expect(response).to.deep.include({ status, body, ok: status < 300 });
  expect(response.headers).to.include({ 'x-fake-operation': operation.id });
  expect(response.rules).not.to.deep.equal([]);
}
