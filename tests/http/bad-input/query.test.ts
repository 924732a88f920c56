// Queries: unknown, repeated, missing and empty parameters, unusual encodings, booleans in any case, and oversized ones.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { Running } from '../../../server/process/start.js';
import { send, serving } from '../../support/wire/server.js';
import { validQuestions } from '../../support/worlds/valid.js';
import { ask, entriesOf, freshSandbox, pathOf, type Refusal, refuses, type Sent, worldOf } from './wire.js';

const QUERIED = ['spaces.copy', 'spaces.is-unique', 'spaces.replace-in-page'] as const;
const valid = (id: OperationId) => validQuestions[id].query as Readonly<Record<string, string>>;
/** The valid query of an operation with some parameters replaced by these raw values; `undefined` leaves one out. */
function queryWith(id: OperationId, raw: Readonly<Record<string, string | undefined>>): string {
  const written = Object.fromEntries(
    Object.entries(valid(id)).map(([name, value]) => [name, encodeURIComponent(value)]),
  );
  return Object.entries({ ...written, ...raw })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('&');
}
const spacesIn = (world: string) => (JSON.parse(world) as { spaces: Record<string, { name: string }> }).spaces;

describe('queries', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const id of QUERIED) {
    const names = Object.keys(valid(id));

    for (const name of names) {
      it(`${id}: ${name} is missing`, async () => {
        const message = `The query lacks ${name}; expected ${names.join(', ')}.`;
        await refuses(
          server,
          { id, query: queryWith(id, { [name]: undefined }) },
          { status: 400, code: 'missing-parameter', message },
        );
        const lower = queryWith(id, { [name]: undefined, [name.toLowerCase()]: 'x' });
        const meant = `${message} The query has "${name.toLowerCase()}": did you mean "${name}"?`;
        await refuses(server, { id, query: lower }, { status: 400, code: 'missing-parameter', message: meant });
      });
    }

    it(`${id}: all are missing`, async () => {
      const message = `The query lacks ${names.join(', ')}; expected ${names.join(', ')}.`;
      for (const query of ['', '&&&', '=', '==', '&=&']) {
        await refuses(
          server,
          { id, path: `${pathOf(id, '')}?${query}` },
          { status: 400, code: 'missing-parameter', message },
        );
      }
    });

    for (const bad of ['%zz', '%', '%f', 'a%2', '%ff', '%C3', '%C3%28', '%ED%A0%80', '%u0041', '%00%']) {
      it(`${id}: ${bad} does not decode`, async () => {
        const pair = `${names[0]}=${bad}`;
        const message = `${JSON.stringify(pair)} in the query has a percent sign that is not followed by the hexadecimal digits of UTF-8 text.`;
        const refusal: Refusal = { status: 400, code: 'query-undecodable', message };
        await refuses(server, { id, query: queryWith(id, { [names[0] ?? '']: bad }) }, refusal);
        const other = { ...refusal, message: message.replace(JSON.stringify(pair), JSON.stringify(`${bad}=1`)) };
        await refuses(server, { id, query: `${queryWith(id, {})}&${bad}=1` }, other);
      });
    }

    it(`${id}: unknown and repeated parameters are recorded, not dropped silently`, async () => {
      const sandbox = await freshSandbox(server);
      const query = `${queryWith(id, {})}&${names[0]}=again&os_authType=basic&x&x=2&__proto__=1&toString=2`;
      expect((await ask(server, sandbox, { id, query })).status).to.equal(200);
      const entry = (await entriesOf(server, sandbox)).at(-1);
      expect(entry?.unknownQuery).to.deep.equal(['os_authType', 'x', '__proto__', 'toString']);
      expect(entry?.repeatedQuery).to.deep.equal([names[0], 'x']);
      expect(entry?.url).to.equal(pathOf(id, query));
    });
  }

  it('a query on an operation without parameters is in the journal too', async () => {
    for (const id of ['groups.add-users', 'permissions.edit-add', 'ppf.push'] as const) {
      const sandbox = await freshSandbox(server);
      expect((await ask(server, sandbox, { id, query: 'group=nobody&group=x&%zz=%ff' })).status).to.equal(200);
      const entry = (await entriesOf(server, sandbox)).at(-1);
      expect([entry?.unknownQuery, entry?.repeatedQuery]).to.deep.equal([['group'], ['group']]);
      expect(entry?.url).to.match(/&%zz=%ff$/);
    }
  });

  for (const name of ['removeAdminPermissions', 'keepPagesMetadata']) {
    for (const value of ['true', 'TRUE', 'True', 'tRuE', 'false', 'False', 'FALSE', 'fa%6Cse']) {
      it(`spaces.copy: ${name}=${value} is read`, async () => {
        expect(
          (
            await ask(server, await freshSandbox(server), {
              id: 'spaces.copy',
              query: queryWith('spaces.copy', { [name]: value }),
            })
          ).status,
        ).to.equal(200);
      });
    }

    for (const [value, shown] of [
      ['', ''],
      ['yes', 'yes'],
      ['1', '1'],
      ['0', '0'],
      ['true+', 'true '],
      ['%20true', ' true'],
      ['null', 'null'],
      ['truefalse', 'truefalse'],
      ['true%0A', 'true\n'],
    ] as const) {
      it(`spaces.copy: ${name}=${value} is neither true nor false`, async () => {
        const message = `${name} is ${JSON.stringify(shown)}: it must be true or false.`;
        await refuses(
          server,
          { id: 'spaces.copy', query: queryWith('spaces.copy', { [name]: value }) },
          { status: 400, code: 'query-shape', message },
        );
      });
    }
  }

  for (const [raw, name] of [
    ['a+b', 'a b'],
    ['a%20b', 'a b'],
    ['a%2Bb', 'a+b'],
    ['a%2Fb', 'a/b'],
    ['a/b', 'a/b'],
    ['a[b]', 'a[b]'],
    ['%5Ba%5D', '[a]'],
    ['a=b', 'a=b'],
    ['a:b,c;d', 'a:b,c;d'],
    ['%E4%BD%A0%F0%9F%98%80', '你😀'],
    ['%00', '\0'],
    ['%0D%0Aa:b', '\r\na:b'],
    ['a%26b', 'a&b'],
    ['?a?', '?a?'],
    ['', ''],
  ] as const) {
    it(`spaces.copy: the title ${raw} decodes to ${JSON.stringify(name)}`, async () => {
      const sandbox = await freshSandbox(server);
      const got = await ask(server, sandbox, {
        id: 'spaces.copy',
        query: queryWith('spaces.copy', { targetSpaceTitle: raw }),
      });
      expect(got.status, got.text).to.equal(200);
      expect(spacesIn(await worldOf(server, sandbox)).APOLLO?.name).to.equal(name);
      expect([...got.headers.keys()]).not.to.include('a');
    });
  }

  it('the first of a repeated parameter counts', async () => {
    const sandbox = await freshSandbox(server);
    const query = `targetSpaceKey=FIRST&${queryWith('spaces.copy', {})}`;
    expect((await ask(server, sandbox, { id: 'spaces.copy', query })).status).to.equal(200);
    expect(Object.keys(spacesIn(await worldOf(server, sandbox)))).to.deep.equal(['FIRST', 'ds', 'tmpl']);
  });

  it('brackets after a name make another name', async () => {
    const query = queryWith('spaces.is-unique', { spaceKey: undefined, 'spaceKey[]': 'ds', 'spaceKey[0]': 'ds' });
    const message =
      'The query lacks spaceKey; expected spaceKey, spaceName. The query has "spaceKey[]": did you mean "spaceKey"? The query has "spaceKey[0]": did you mean "spaceKey"?';
    await refuses(server, { id: 'spaces.is-unique', query }, { status: 400, code: 'missing-parameter', message });
  });

  it('invalid space keys are reported, in any encoding', async () => {
    for (const [raw, shown] of [
      ['', ''],
      ['a%20b', 'a b'],
      ['a-b', 'a-b'],
      ['%C3%A4', 'ä'],
      ['../x', '../x'],
      ['A%0A', 'A\n'],
    ] as const) {
      const message = `targetSpaceKey is ${JSON.stringify(shown)}: a key has 1 to 255 of the characters A-Z, a-z and 0-9.`;
      await refuses(
        server,
        { id: 'spaces.copy', query: queryWith('spaces.copy', { targetSpaceKey: raw }) },
        { status: 400, code: 'space-key-format', message },
      );
    }
    const long = `${'x'.repeat(77)}...`;
    const message = `targetSpaceKey is "${long}": a key has 1 to 255 of the characters A-Z, a-z and 0-9.`;
    await refuses(
      server,
      { id: 'spaces.copy', query: queryWith('spaces.copy', { targetSpaceKey: 'x'.repeat(256) }) },
      { status: 400, code: 'space-key-format', message },
    );
  });

  it('expand accepts anything, and expand-unknown=400 refuses it', async () => {
    const sent = (expand: string, reading?: string): Sent => ({
      query: `expand=${expand}`,
      headers: reading === undefined ? {} : { 'x-fake-reading': reading },
    });
    for (const expand of ['', ',', '.', '..', 'a..b', '__proto__', '%20', 'a.b.c,d', '%zz']) {
      expect((await ask(server, await freshSandbox(server), sent(expand))).status).to.equal(200);
    }
    const message = 'expand asks for "body.view" inside "page", "__proto__": this answer has nothing to expand.';
    await refuses(server, sent('page.body.view,__proto__', 'expand-unknown=400'), {
      status: 400,
      code: 'unknown-expand',
      message,
    });
  });

  it('one that is longer than Node accepts is 431, and the next request is answered', async () => {
    const sandbox = await freshSandbox(server);
    const before = await worldOf(server, sandbox);
    expect(
      (await ask(server, sandbox, { id: 'spaces.is-unique', query: `spaceKey=${'x'.repeat(20_000)}` })).status,
    ).to.equal(431);
    expect(await worldOf(server, sandbox)).to.equal(before);
    expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
  });

  it('one that is just short enough is answered', async () => {
    const query = `spaceKey=${'x'.repeat(7000)}&spaceName=${'&'.repeat(3000)}${'a&'.repeat(2000)}`;
    const sandbox = await freshSandbox(server);
    expect(await ask(server, sandbox, { id: 'spaces.is-unique', query })).to.include({ status: 200, text: 'true' });
    expect((await entriesOf(server, sandbox)).at(-1)?.unknownQuery).to.deep.equal(['a']);
  });
});
