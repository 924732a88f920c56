// What the journal hides of a request, what it leaves, and which secrets it does not find. docs/security.md promises the same.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { operations } from '../../server/operations/catalog/catalog.js';
import type { JsonSchema } from '../../server/operations/schema.js';
import { basic, entriesIn, send, useServer } from '../support/wire/server.js';

const push = '/rest/cwx-ppf/latest/push';
const authorization = basic('bob', 'hunter2');
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2IifQ.c2lnbmF0dXJl';
const nested = (depth: number, inner: string) => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

/** By where they are sent: the text, and what the journal shows of it. A single text stays as it is. */
const targets: readonly (readonly [sent: string, shown?: string])[] = [
  [`${push}?os_username=bob&os_password=x`, `${push}?os_username=bob&os_password=hidden`],
  [`${push}?OS_PASSWORD=x&Api-Key=y&apiKey=z`, `${push}?OS_PASSWORD=hidden&Api-Key=hidden&apiKey=hidden`],
  [`${push}?os%5Fpassword=x&%6fs_passwor%64=y`, `${push}?os%5Fpassword=hidden&%6fs_passwor%64=hidden`],
  [`${push}?os_password=x=y?z/a&b=1`, `${push}?os_password=hidden&b=1`],
  [`${push}?os_password=%ff&password%ff=x`, `${push}?os_password=hidden%&password%ff=hidden`],
  [`${push}?u=http://bob:x@host/a`, `${push}?u=http://hidden@host/a`],
  [`${push}?u=http%3A%2F%2Fbob%3Ax%40host%2F%3Fa`, `${push}?u=http%3A%2F%2Fhidden%40host%2F%3Fa`],
  [`${push}?u=http%3A%2F%2Fbob%3Ax%40h%ff`, `${push}?u=http%3A%2F%2Fhidden%40h%EF%BF%BD%`],
  [`${push}?next=%2Flogin%3Fpassword%3Dx`, `${push}?next=%2Flogin%3Fpassword%3Dhidden`],
  [`${push}?a=Bearer+abc123456&b=2`, `${push}?a=Bearer%20hidden&b=2`],
  [`${push}?a=admin-token&admin%2Dtoken=1`, `${push}?a=hidden&hidden=hidden`],
  ['/rest/admin-token/admin%2Dtoken', '/rest/hidden/hidden'],
  ['/rest/http%3A%2F%2Fbob%3Ax%40host/a%20b', '/rest/http%3A%2F%2Fhidden%40host/a%20b'],
  ['/rest/a;jsessionid=ABC/b', '/rest/a;jsessionid=hidden/b'],
  [`${push}?os_password`],
  [`${push}?spaceKey=ds&pageTitle=Tokens+and%20keys%C3%A9&a=b@c&&=&`],
  ['/rest/a@b:c/d?e=f@g&u=https://host:8080/'],
  // not found
  [`${push}?u=http%253A%252F%252Fbob%253Ax%2540host`],
  [`/rest/${jwt}?a=${jwt}`],
];

const bodies: readonly (readonly [sent: string, shown?: string])[] = [
  [
    '{"users":["alice"],"password":"x","apiKey":5,"token":{"a":1}}',
    '{"users":["alice"],"password":"hidden","apiKey":"hidden","token":"hidden"}',
  ],
  ['{"token":null,"a":[{"secret":true}]}', '{"token":null,"a":[{"secret":"hidden"}]}'],
  ['{"p\\u0061ssword":"x","b":"http:\\/\\/bob:x\\u0040host"}', '{"password":"hidden","b":"http://hidden@host"}'],
  ['{"__proto__":{"password":"x"}}', '{"__proto__":{"password":"hidden"}}'],
  ['{"token":"x","token":null}', '{"token":null}'],
  [nested(60, '{"pass":1}'), nested(60, '{"pass":"hidden"}')],
  [nested(100, '{"pass":1}'), nested(64, '"hidden"')],
  ['{ "a": "https://bob:hunter2@host/", "b": 1 }', '{ "a": "https://hidden@host/", "b": 1 }'],
  [`{ "a": "${authorization}, Bearer 0123456789" }`, '{ "a": "Basic hidden, Bearer hidden" }'],
  ['{ "a": ["admin-token"], "admin-token": 1 }', '{"a":["hidden"],"hidden":"hidden"}'],
  ['{"a": "see https://host/?access_token=x&b=1"}', '{"a":"see https://host/?access_token=hidden&b=1"}'],
  ['{"password" : "hunter2",}', '{"password" : "hidden",}'],
  ['user=bob&password=hunter2&pin=1', 'user=bob&password=hidden&pin=hidden'],
  [
    '<p>password=hunter2, token="x"</p> http:\\/\\/bob:x@host',
    '<p>password=hidden, token="hidden"</p> http:\\/\\/hidden@host',
  ],
  [Array(10_001).fill('a=b').join('&'), 'hidden'],
  ['{ "key": "ds", "code": 404, "spaceKey": "ds", "author": "bob", "passed": 1 }'],
  ['{ "a": "Basic authentication, a Bearer token, Basic internationalization" }'],
  ['{ "a": "https://example.com:8080/a@b?c=d mail bob@example.com, http://host/@user" }'],
  ['{ "a": "What is a token? A secret? It is a password: nobody knows." }'],
  [nested(100, '{"a":1}')],
  [Array(10_000).fill('a=b').join('&')],
  // not found
  [`{ "a": "${jwt}", "b": "-----BEGIN PRIVATE KEY-----" }`],
  ['{ "answer": "hunter2", "a": "the password is hunter2" }'],
  ['--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--b--\r\n'],
];

describe('the journal', () => {
  const server = useServer();
  let count = 0;

  async function journaled(target: string, body?: string) {
    count += 1;
    const at = `${server.url}/~secrets-${count}`;
    await send(`${at}${target}`, { method: 'POST', ...(body !== undefined && { body }) });
    const [entry] = await entriesIn(server, `secrets-${count}`);
    return entry;
  }

  it('hides secrets in a target', async () => {
    for (const [sent, shown = sent] of targets)
      expect((await journaled(sent))?.url.replace(/^\/~[^/]*/, '')).to.equal(shown);
  });

  it('keeps the headers of request and response with their secrets hidden, and how long it took', async () => {
    const headers = {
      Authorization: authorization,
      Cookie: 'JSESSIONID=abc123',
      'X-Api-Key': 'hunter2',
      Referer: 'http://bob:hunter2@host/a?token=x',
      'X-Trace': '1',
    };
    await send(`${server.url}/~sent${push}`, { method: 'POST', headers });
    const [entry] = await entriesIn(server, 'sent');
    expect(entry?.request.headers).to.include({
      authorization: 'hidden',
      cookie: 'hidden',
      'x-api-key': 'hidden',
      referer: 'http://host/a?token=hidden',
      'x-trace': '1',
    });
    expect(entry?.response.headers).to.include({ 'Content-Type': 'application/json;charset=UTF-8' });
    expect(entry?.duration).to.be.a('number');
  });

  it('hides secrets in a body', async () => {
    for (const [sent, shown = sent] of bodies) expect((await journaled(push, sent))?.request.body).to.equal(shown);
  });
});

/** The secret names in the table of docs/security.md. */
const table = readFileSync('docs/security.md', 'utf8').match(/(?<=^\| it (?:contains|is) one of these).*/gm) ?? [];
const [words = [], names = [], parameterNames = []] = table.map(row => row.match(/(?<=`)[\w-]+(?=`[ ,])/g) ?? []);
const anywhere = [
  ...words.flatMap(word => [`my-${word}-1`, word.replaceAll('-', '_').toUpperCase(), `x${word.replaceAll('-', '')}s`]),
  ...names,
];
const harmless = [
  ...['key', 'spaceKey', 'sourceSpaceKey', 'expand', 'os_authType', 'os_username', 'issue-key', 'keyboard', 'author'],
  ...['zip_code', 'language-code', 'codec', 'ping', 'sidebar', 'design', 'path', 'passenger', 'compass', 'state'],
  ...operations.flatMap(({ query, body }) => [...Object.keys(query ?? {}), ...fieldsOf(body?.schema)]),
];

function fieldsOf(schema: JsonSchema | undefined): string[] {
  if (schema === undefined) return [];
  const { properties = {}, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  return [...Object.entries(properties).flatMap(([name, own]) => [name, ...fieldsOf(own)]), ...fieldsOf(items)];
}

describe('a value', () => {
  const server = useServer();
  const all = [...new Set([...anywhere, ...parameterNames, ...harmless])];
  const hiddenIn = (found: Iterable<readonly [string, unknown]>) =>
    [...found].filter(([, value]) => value === 'hidden').map(([name]) => name);

  it('is hidden by the name of its parameter, and by that of its field', async () => {
    expect([words.length, names.length, parameterNames.length]).to.deep.equal([25, 8, 8]);
    expect(harmless).to.include.members(['spaceKey', 'oldText', 'users', 'targetSpaceAdmin']);
    await send(`${server.url}${push}?${all.map(name => `${name}=x`).join('&')}`, {
      method: 'POST',
      body: JSON.stringify(Object.fromEntries(all.map(name => [name, 'x']))),
    });
    const [entry] = await entriesIn(server);
    const query = new URLSearchParams(entry?.url.split('?')[1]);
    expect(hiddenIn(query)).to.deep.equal([...anywhere, ...parameterNames]);
    expect(hiddenIn(Object.entries(JSON.parse(entry?.request.body ?? '') as object))).to.have.members(anywhere);
  });
});
