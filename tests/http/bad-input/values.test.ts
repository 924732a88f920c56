// Values of the wrong type in a body of the right shape: texts, numbers, lists, names built into JavaScript, too many fields.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { Running } from '../../../server/process/start.js';
import { serving } from '../../support/wire/server.js';
import { validQuestions, withBody } from '../../support/worlds/valid.js';
import { ask, freshSandbox, type Refusal, refuses, worldOf } from './wire.js';

const shape = (message: string): Refusal => ({ status: 400, code: 'body-shape', message });
const SAFE = 9007199254740991;

/** The fields of each body, and whether they are lists or texts. */
const lists: ReadonlyArray<readonly [OperationId, field: string, item: string]> = [
  ...(['groups.add-users', 'groups.remove-users', 'groups.set-users'] as const).map(
    id => [id, 'users', 'text'] as const,
  ),
  ...(['edit-add', 'edit-remove', 'view-add', 'view-remove', 'all-remove'] as const).flatMap(name => [
    [`permissions.${name}`, 'users', 'text'] as const,
    [`permissions.${name}`, 'groups', 'text'] as const,
  ]),
  ...(['ppf.push', 'ppf.pull'] as const).flatMap(id => [
    [id, 'users', 'text'] as const,
    [id, 'groups', 'text'] as const,
    [id, 'filters', 'a whole number'] as const,
    [id, 'dashboards', 'a whole number'] as const,
  ]),
];
const texts: ReadonlyArray<readonly [OperationId, field: string]> = [
  ['groups.add-users', 'group'],
  ['groups.remove-users', 'group'],
  ['groups.set-users', 'group'],
  ['spaces.add-sidebar-link', 'spaceKey'],
  ['spaces.add-sidebar-link', 'label'],
  ['spaces.add-sidebar-link', 'url'],
];
const bodyWith = (id: OperationId, field: string, value: unknown) =>
  JSON.stringify({ ...(validQuestions[id].json as object), [field]: value });

describe('values of the wrong type', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const [id, field, item] of lists) {
    it(`${id}: ${field} is a list of ${item}`, async () => {
      for (const [value, found] of [
        ['alice', 'the text "alice"'],
        [null, 'null'],
        [{}, 'an object'],
        [5, 'the number 5'],
        [{ 0: 'alice', length: 1 }, 'an object'],
      ] as const) {
        await refuses(
          server,
          { id, body: bodyWith(id, field, value) },
          shape(`/${field} must be a list, not ${found}.`),
        );
      }
      const wrong = item === 'text' ? 5 : '10500';
      const shown = item === 'text' ? 'the number 5' : 'the text "10500"';
      await refuses(
        server,
        { id, body: bodyWith(id, field, [wrong]) },
        shape(`/${field}/0 must be ${item}, not ${shown}.`),
      );
      await refuses(
        server,
        { id, body: bodyWith(id, field, [[]]) },
        shape(`/${field}/0 must be ${item}, not an empty list.`),
      );
      await refuses(server, { id, body: bodyWith(id, field, [null]) }, shape(`/${field}/0 must be ${item}, not null.`));
    });
  }

  for (const [id, field] of texts) {
    it(`${id}: ${field} is text`, async () => {
      for (const [value, found] of [
        [5, 'the number 5'],
        [null, 'null'],
        [true, 'true'],
        [['ds'], 'a list of 1'],
        [{}, 'an object'],
      ] as const) {
        await refuses(server, { id, body: bodyWith(id, field, value) }, shape(`/${field} must be text, not ${found}.`));
      }
    });
  }

  for (const id of ['ppf.push', 'ppf.pull'] as const) {
    it(`${id}: ids are whole numbers`, async () => {
      const send = (number: string) => `{"users":["alice"],"filters":[${number}]}`;
      const wrong = {
        '10500.5': 'must be a whole number, not the number 10500.5',
        '1e400': 'must be a whole number, not the number Infinity',
        '-1e400': 'must be a whole number, not the number -Infinity',
        '1e-7': 'must be a whole number, not the number 1e-7',
      };
      for (const [number, problem] of Object.entries(wrong))
        await refuses(server, { id, body: send(number) }, shape(`/filters/0 ${problem}.`));
    });

    it(`${id}: a whole number in any notation is a valid, but unknown id`, async () => {
      for (const [number, name] of [
        ['-1', '-1'],
        ['-0', '0'],
        ['1.0', '1'],
        ['9007199254740991', String(SAFE)],
        ['1e3', '1000'],
        ['9007199254740993', '9007199254740993'],
        ['-9007199254740993', '-9007199254740993'],
        ['1e300', '1e300'],
      ] as const) {
        const sandbox = await freshSandbox(server);
        const before = await worldOf(server, sandbox);
        const got = await ask(server, sandbox, { id, body: `{"users":["alice"],"dashboards":[${number}]}` });
        expect([got.status, got.text]).to.deep.equal([
          200,
          JSON.stringify({ success: false, messages: [`Could not find dashboard with id ${name}`] }),
        ]);
        expect(await worldOf(server, sandbox)).to.equal(before);
      }
    });
  }

  it('lists the first five of many, and the number of the others', async () => {
    const users = Array.from({ length: 1000 }, (_, i) => i);
    const got = await refuses(
      server,
      { body: JSON.stringify({ group: 'customers', users }) },
      { status: 400, code: 'body-shape', message: /; and 995 more\.$/ },
    );
    expect(got.message.length).to.be.below(400);
  });
});

describe('names built into JavaScript', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length']) {
    it(`${name} is a name like any other, and no user has it`, async () => {
      const missing = (what: string): Refusal => ({
        status: 404,
        code: `unknown-${what}` as Refusal['code'],
        message: `There is no ${what} named "${name}".`,
      });
      await refuses(server, { body: JSON.stringify({ group: 'customers', users: [name] }) }, missing('user'));
      await refuses(server, { body: JSON.stringify({ group: name, users: ['alice'] }) }, missing('group'));
      const space: Refusal = {
        status: 404,
        code: 'unknown-space',
        message: `There is no space with the key "${name}".`,
      };
      await refuses(
        server,
        { id: 'spaces.add-sidebar-link', body: JSON.stringify({ spaceKey: name, label: 'l', url: 'u' }) },
        space,
      );
      const message = `The page id "${name}" is no number: expected digits only.`;
      const page: Refusal = { status: 404, code: 'page-id-format', message };
      const id = 'permissions.edit-add';
      await refuses(server, { id, path: `/rest/cwxapiextension/latest/permissions/edit/${name}` }, page);
    });

    it(`${name} can be created as a group`, async () => {
      const sandbox = await freshSandbox(server);
      const got = await ask(server, sandbox, {
        body: JSON.stringify({ group: name, users: ['alice'] }),
        headers: { 'x-fake-reading': 'unknown-group=create' },
      });
      expect(got.status).to.equal(200);
      const { groups } = JSON.parse(await worldOf(server, sandbox)) as { groups: object };
      expect(Object.getOwnPropertyDescriptor(groups, name)?.value).to.deep.equal(['alice']);
    });

    for (const id of withBody.filter(other => other !== 'spaces.replace-in-page')) {
      it(`${id}: ${name} is an unknown field, and changes nothing`, async () => {
        const valid = JSON.stringify(validQuestions[id].json);
        const body = `{${JSON.stringify(name)}:{"admin":true,"users":["bob"]},${valid.slice(1)}`;
        const [one, other] = [await freshSandbox(server), await freshSandbox(server)];
        expect((await ask(server, one, { id, body })).status).to.equal(200);
        await ask(server, other, { id, body: valid });
        expect(await worldOf(server, one)).to.equal(await worldOf(server, other));
        const gap = id.startsWith('ppf.') ? 'ppf-unknown-field' : 'unknown-field';
        const got = await refuses(
          server,
          { id, body, headers: { 'x-fake-reading': `${gap}=400` } },
          { status: 400, code: gap, message: /^The body has "/ },
        );
        expect(got.message).to.contain(`The body has "${name}"; expected `);
        const alone = `{${JSON.stringify(name)}:{"group":"customers","groups":[],"users":["alice"],"filters":[10500]}}`;
        await refuses(
          server,
          { id, body: alone },
          id.startsWith('ppf.')
            ? { status: 400, code: 'ppf-no-recipient', message: /at least one of users and groups/ }
            : {
                status: 400,
                code: id.startsWith('permissions.') ? 'missing-list' : 'missing-field',
                message: /^The body lacks "/,
              },
        );
      });
    }
  }
});
