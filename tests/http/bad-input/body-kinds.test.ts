// Bodies that are JSON or empty, but not what the operation accepts: for every operation, by either body reader.
import { expect } from 'chai';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import type { Running } from '../../../server/process/start.js';
import { serving } from '../../support/wire/server.js';
import { operationIds, ppfIds, validQuestions, withBody } from '../../support/worlds/valid.js';
import { ask, entriesOf, freshSandbox, type Refusal, refuses, worldOf } from './wire.js';

const withList = (id: string) => id === 'spaces.replace-in-page';
const isPpf = (id: string) => ppfIds.some(other => other === id);
const objects = withBody.filter(id => !withList(id));
const fields: Readonly<Record<string, string>> = {
  groups: 'group, users',
  permissions: 'groups, users',
  spaces: 'spaceKey, label, url',
};
const quotedFields = (id: string) =>
  (fields[id.split('.')[0] ?? ''] ?? '')
    .split(', ')
    .map(name => `"${name}"`)
    .join(', ');

const shape = (message: string): Refusal => ({ status: 400, code: 'body-shape', message });
const needs: Refusal = {
  status: 400,
  code: 'ppf-no-recipient',
  message:
    'The body must have at least one of users and groups. The body must have at least one of filters and dashboards.',
};

function lacking(id: string): string {
  if (id.startsWith('groups.')) return ' with "group", "users"';
  if (id.startsWith('permissions.')) return ' with "groups", "users"';
  return id === 'spaces.add-sidebar-link' ? ' with "spaceKey", "label", "url"' : '';
}

describe('bodies of another kind', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const id of withBody) {
    it(`${id}: no body at all`, async () => {
      const absent: Refusal = {
        status: 400,
        code: id.startsWith('permissions.') ? 'lists-absent' : 'body-absent',
        message: `There is no body${lacking(id)}: send one as application/json.`,
      };
      await refuses(server, { id, framing: 'none', body: '' }, isPpf(id) ? needs : absent);
    });

    for (const framing of ['length', 'chunked'] as const) {
      it(`${id}: an empty body (${framing})`, async () => {
        const message = 'The body is empty, which is no JSON: send at least {} or [].';
        await refuses(server, { id, framing, body: '' }, { status: 400, code: 'body-empty', message });
      });

      it(`${id}: scalars (${framing})`, async () => {
        const due = withList(id) ? 'a list' : 'an object';
        const scalars = {
          null: 'null',
          5: 'the number 5',
          '"x"': 'the text "x"',
          true: 'true',
          '""': 'the text ""',
          0: 'the number 0',
          false: 'false',
        };
        for (const [body, found] of Object.entries(scalars)) {
          await refuses(server, { id, framing, body }, shape(`The body must be ${due}, not ${found}.`));
        }
      });
    }
  }

  for (const id of objects) {
    it(`${id}: a list instead of an object`, async () => {
      await refuses(server, { id, body: '[]' }, shape('The body must be an object, not an empty list.'));
      const body = JSON.stringify([validQuestions[id].json]);
      await refuses(server, { id, body }, shape('The body must be an object, not a list of 1.'));
    });

    it(`${id}: {}`, async () => {
      const message = `The body lacks ${quotedFields(id)}; expected ${fields[id.split('.')[0] ?? '']}.`;
      const code = id.startsWith('permissions.') ? 'missing-list' : 'missing-field';
      await refuses(server, { id, body: '{}' }, isPpf(id) ? needs : { status: 400, code, message });
    });
  }

  it('spaces.replace-in-page: an object instead of a list, and list elements that are no objects', async () => {
    const id = 'spaces.replace-in-page';
    await refuses(server, { id, body: '{}' }, shape('The body must be a list, not an object.'));
    await refuses(
      server,
      { id, body: '{"oldText":"a","newText":"b"}' },
      shape('The body must be a list, not an object.'),
    );
    await refuses(server, { id, body: '[null]' }, shape('/0 must be an object, not null.'));
    const mixed = '[{"oldText":"Hello","newText":"b"},[],5]';
    await refuses(
      server,
      { id, body: mixed },
      shape('/1 must be an object, not an empty list; /2 must be an object, not the number 5.'),
    );
    const lacking: Refusal = {
      status: 400,
      code: 'missing-field',
      message: '/1 lacks "newText"; expected oldText, newText.',
    };
    await refuses(server, { id, body: '[{"oldText":"Hello","newText":"b"},{"oldText":"c"}]' }, lacking);
    const empty: Refusal = {
      status: 400,
      code: 'old-text-empty',
      message: '/1/oldText is empty: name the text to replace.',
    };
    await refuses(server, { id, body: '[{"oldText":"Hello","newText":"b"},{"oldText":"","newText":"b"}]' }, empty);
  });

  it('spaces.replace-in-page: an empty list changes nothing', async () => {
    const sandbox = await freshSandbox(server);
    const before = await worldOf(server, sandbox);
    expect((await ask(server, sandbox, { id: 'spaces.replace-in-page', body: '[]' })).status).to.equal(200);
    expect(await worldOf(server, sandbox)).to.equal(before);
  });
});

describe('bodies that no operation reads', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());
  const bodies: ReadonlyArray<readonly [string, string | Buffer, string]> = [
    ['nothing, as a form', '', 'application/x-www-form-urlencoded'],
    ['a form', 'sourceSpaceKey=ds&x=%zz', 'application/x-www-form-urlencoded'],
    ['no JSON', '{"a":', 'application/json'],
    ['JSON of another shape', '[null]', 'application/json'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json'],
    ['plain text', 'hello', 'text/plain'],
  ];

  for (const id of operationIds.filter(other => !withBody.includes(other))) {
    it(`${id}: a body that is too large is refused all the same`, async () => {
      const message = 'The body is larger than 1048576 bytes.';
      await refuses(
        server,
        { id, body: `"${'x'.repeat(1_048_576)}"` },
        { status: 413, code: 'body-too-large', message },
      );
    });

    for (const [what, body, type] of bodies) {
      for (const framing of ['length', 'chunked'] as const) {
        it(`${id}: ${what} makes no difference (${framing})`, async () => {
          const [one, other] = [await freshSandbox(server), await freshSandbox(server)];
          const [plain, odd] = [
            await ask(server, one, { id, framing: 'none', body: '', headers: { 'content-type': null } }),
            await ask(server, other, {
              id,
              framing,
              body,
              headers: { 'content-type': type, 'x-fake-reading': 'content-type=415' },
            }),
          ];
          expect([odd.status, odd.text]).to.deep.equal([plain.status, plain.text]);
          expect(plain.status).to.equal(200);
          const withoutTimes = async (sandbox: string) =>
            (await worldOf(server, sandbox)).replace(/"\d{4}-[^"]*Z"/g, '""');
          expect(await withoutTimes(other)).to.equal(await withoutTimes(one));
          expect((await entriesOf(server, other)).at(-1)?.operation).to.equal(operationOf(id)?.id);
        });
      }
    }
  }
});
