// Which texts, URLs, headers and bodies are secret.
import { expect } from 'chai';
import { parseQuery } from '../../server/engine/request/request.js';
import {
  isSecretField,
  isSecretName,
  redactBody,
  redactHeader,
  redactText,
  redactUrl,
} from '../../server/engine/secrets.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import type { JsonSchema } from '../../server/operations/schema.js';

const anywhere = [
  ...['token', 'access_token', 'refreshToken', 'id_token', 'X-Atlassian-Token', 'pwd', 'os_pwd', 'password', 'passwd'],
  ...['os_password', 'passWord', 'passphrase', 'passcode', 'secret', 'client_secret', 'credential', 'X-Amz-Credential'],
  ...['signature', 'X-Amz-Signature', 'session', 'JSESSIONID', 'PHPSESSID', 'sess_id', 'jwt', 'assertion'],
  ...['client_assertion', 'SAMLResponse', 'SAMLRequest', 'samlart', 'saml_response', 'csrf', 'x-xsrf', 'Cookie'],
  ...['Set-Cookie', 'Authorization', 'Proxy-Authorization', 'code_verifier', 'apikey', 'api_key', 'api-key', 'apiKey'],
  ...['X-API-Key', 'access_key', 'access-key', 'AWSAccessKeyId', 'privateKey', 'auth_code', 'verification-code'],
  ...['pass', 'auth', 'otp', 'totp', 'otpCode', 'sms_otp', 'mfa', '2fa', 'cvv', 'p%61ssword', 'access%5Fkey'],
];
const parametersOnly = ['code', 'pat', 'ticket', 'wresult', 'sig', 'pin', 'user_pin', 'connect.sid'];
const harmless = [
  ...[
    'key',
    'spaceKey',
    'sourceSpaceKey',
    'pageTitle',
    'expand',
    'os_authType',
    'os_username',
    'issue-key',
    'keyboard',
  ],
  ...['author', 'zip_code', 'language-code', 'codec', 'ping', 'sidebar', 'design', 'path', 'passenger', 'compass'],
  ...['state', 'users'],
];

describe('the name of a secret', () => {
  it('is recognized wherever it stands', () => {
    expect(anywhere.filter(name => !isSecretField(name) || !isSecretName(name))).to.deep.equal([]);
  });

  it('is recognized as a parameter although it means something else in JSON', () => {
    expect(parametersOnly.filter(name => !isSecretName(name) || isSecretField(name))).to.deep.equal([]);
  });

  it('is no other name, and none of an operation', () => {
    const documented = operations.flatMap(({ query, body, path }) => [
      ...Object.keys(query ?? {}),
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      ...fieldsOf(body?.schema),
    ]);
    expect(documented).to.include.members(['spaceKey', 'oldText', 'users', 'targetSpaceAdmin']);
    expect([...harmless, ...documented].filter(isSecretName)).to.deep.equal([]);
  });
});

function fieldsOf(schema: JsonSchema | undefined): string[] {
  if (schema === undefined) return [];
  const { properties = {}, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  return [...Object.entries(properties).flatMap(([name, own]) => [name, ...fieldsOf(own)]), ...fieldsOf(items)];
}

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2IifQ.c2lnbmF0dXJl';
const basic = Buffer.from('bob:hunter2').toString('base64');

const texts: readonly (readonly [text: string, shown: string])[] = [
  ['see https://bob:hunter2@host:8080/a?b=1.', 'see https://hidden@host:8080/a?b=1.'],
  ["<a href='ftp://bob:it's@host'>", "<a href='ftp://hidden@host'>"],
  ['http:\\/\\/bob:x@host\\/', 'http:\\/\\/hidden@host\\/'],
  ['https://ghs0123456789abcdefghij@host/', 'https://hidden@host/'],
  ['There is no "http://bob:hunter2hunter2hun..." here', 'There is no "http://hidden" here'],
  ['/login?next=http%3A%2F%2Fbob%3Ax%40host', '/login?next=http%3A%2F%2Fhidden%40host'],
  ['Authorization: Bearer abc.def-123', 'Authorization: Bearer hidden'],
  ['bearer 0123456789', 'bearer hidden'],
  [`it sends Basic ${basic}, twice`, 'it sends Basic hidden, twice'],
  ['Negotiate YIIGhwYGKwYBBQUCoIIGezCCBnegMDAu', 'Negotiate hidden'],
  [`a JWT: ${jwt} and more`, 'a JWT: hidden and more'],
  [`${jwt.slice(0, 30)}...`, 'hidden'],
  ['/cb?code=abc&state=1#access_token=def', '/cb?code=hidden&state=1#access_token=hidden'],
  ['the password=hunter2, says he', 'the password=hidden, says he'],
  ['{"user": "bob", "password" : "hunter2", ', '{"user": "bob", "password" : "hidden", '],
  ['/a;jsessionid=ABC/b', '/a;jsessionid=hidden/b'],
];
const readable = [
  'bad-credentials=404, wiki-auth=admin',
  'Basic authentication and basic internationalization; Bearer token; the bearer of good news',
  'https://example.com:8080/a@b?c=d mail bob@example.com, ssh://git@host/x, http://host/@user',
  'http://<host>:<port>/ and http://host:8080... and so on',
  '<p class="key" id=code>spaceKey=ds</p> the key=value of code=5',
  '{"key": "ds", "code": 404, "spaceKey": "ds", "author": "bob"}',
  'eyJ is how a JWT begins',
  'What is a token? A secret? It is a password: nobody knows.',
  '?spaceKey=ds&pageTitle=Tokens&expand=history',
];

describe('redactText', () => {
  for (const [text, shown] of texts) {
    it(`shows ${text.slice(0, 60)} as ${shown.slice(0, 60)}`, () => {
      expect(redactText(text)).to.equal(shown);
      expect(redactText(shown), 'redacted twice').to.equal(shown);
    });
  }
  for (const text of readable) it(`leaves ${text.slice(0, 60)}`, () => expect(redactText(text)).to.equal(text));
});

const urls: readonly (readonly [target: string, shown: string])[] = [
  ['/rest/a?spaceKey=ds&pageTitle=Welcome', '/rest/a?spaceKey=ds&pageTitle=Welcome'],
  ['/rest/a?pageTitle=Tokens+and%20keys%C3%A9', '/rest/a?pageTitle=Tokens+and%20keys%C3%A9'],
  ['/rest/a?', '/rest/a?'],
  ['/rest/a', '/rest/a'],
  ['/a?os_authType=basic&os_username=bob&os_password=x', '/a?os_authType=basic&os_username=bob&os_password=hidden'],
  [
    '/a?OS_PASSWORD=x&Access_Token=y&api-key=z&jwt=j',
    '/a?OS_PASSWORD=hidden&Access_Token=hidden&api-key=hidden&jwt=hidden',
  ],
  [
    '/a?pwd=x&access_key=x&otp=1&SAMLResponse=PHNhbWw%2B',
    '/a?pwd=hidden&access_key=hidden&otp=hidden&SAMLResponse=hidden',
  ],
  ['/a?os%5Fpassword=x&%6fs_passwor%64=y', '/a?os%5Fpassword=hidden&%6fs_passwor%64=hidden'],
  ['/a?os_password=x=y?z&b=1', '/a?os_password=hidden&b=1'],
  ['/a?os_password', '/a?os_password'],
  ['/a?x=bearer+SECRET&y=Bearer%20SECRET', '/a?x=hidden&y=hidden'],
  ['/a?os_password=%ff', '/a?os_password=hidden%'],
  ['/a?password%ff=x', '/a?password%ff=hidden'],
  ['http://bob:x@host/a?b=1', 'http://host/a?b=1'],
  ['http://bob:x@y@host/a', 'http://host/a'],
  ['ftp://bob:x@host/', 'ftp://host/'],
  ['/a@b:c/d?e=f@g', '/a@b:c/d?e=f@g'],
  ['/a?u=http://bob:x@host', '/a?u=http://hidden@host'],
  ['/a?u=http%3A%2F%2Fbob%3Ax%40host%2F%3Fa+b', '/a?u=http%3A%2F%2Fhidden%40host%2F%3Fa+b'],
  ['/a?u=http%253A%252F%252Fbob%253Ax%2540host', '/a?u=http%253A%252F%252Fhidden%2540host'],
  ['/a?u=password%253Dx%26a', '/a?u=hidden'],
  ['/a?u=%2Flogin%3Fpassword%3Dx', '/a?u=%2Flogin%3Fpassword%3Dhidden'],
  ['/a?u=http%3A%2F%2Fbob%3Ax%40h%ff', '/a?u=http%3A%2F%2Fhidden%40h%ff'],
  ['/a?u=%3Ftoken%3Dx%26%ff', '/a?u=%3Ftoken%3Dhidden%26%25ff%'],
  [`/a?b=${jwt}&c=Bearer+abc123456`, '/a?b=hidden&c=hidden'],
  [`/groups/${jwt}/x%20y`, '/groups/hidden/x%20y'],
  ['/groups/http%3A%2F%2Fbob%3Ax%40host/a', '/groups/http%3A%2F%2Fhidden%40host/a'],
  [
    'https://b.test/?X-Amz-Signature=z&a=1#access_token=x',
    'https://b.test/?X-Amz-Signature=hidden&a=1#access_token=hidden',
  ],
];

describe('redactUrl', () => {
  for (const [target, shown] of urls) {
    it(`shows ${target} as ${shown}`, () => {
      expect(redactUrl(target)).to.equal(shown);
    });
  }

  it('keeps names, their number and everything that decodes', () => {
    for (const [target, shown] of urls) {
      const [before, after] = [target, shown].map(url => parseQuery(url.split('?').slice(1).join('?')));
      expect(after?.pairs.map(([name]) => name)).to.deep.equal(before?.pairs.map(([name]) => name));
      expect(after?.undecodable === undefined).to.equal(before?.undecodable === undefined);
    }
  });
});

describe('redactHeader', () => {
  const headers: readonly (readonly [name: string, value: string, shown: string])[] = [
    [
      'Location',
      'https://bob:x@sso/cb?code=abc&next=/home#id_token=def',
      'https://sso/cb?code=hidden&next=/home#id_token=hidden',
    ],
    ['Location', '/rest/spaces?spaceKey=ds', '/rest/spaces?spaceKey=ds'],
    ['WWW-Authenticate', 'Negotiate YII', 'hidden'],
    ['Set-Cookie', 'JSESSIONID=abc; Path=/', 'hidden'],
    ['X-Amz-Security-Token', 'abc', 'hidden'],
    ['Link', '<https://bob:x@host/>; rel="next"', '<https://hidden@host/>; rel="next"'],
    ['Retry-After', '120', '120'],
    ['Content-Type', 'application/json; charset=utf-8', 'application/json; charset=utf-8'],
  ];
  for (const [name, value, shown] of headers)
    it(`shows ${name}: ${value} as ${shown}`, () => expect(redactHeader(name, value)).to.equal(shown));
});

describe('redactBody', () => {
  const deep = `${'['.repeat(100)}"token=a"${']'.repeat(100)}`;
  const bodies: readonly (readonly [text: string, shown: string])[] = [
    ['{ "users": ["alice"],  "filters": [10500] }', '{ "users": ["alice"],  "filters": [10500] }'],
    [
      '{"users":["alice"],"password":"x","apiKey":5,"token":{"a":1}}',
      '{"users":["alice"],"password":"hidden","apiKey":"hidden","token":"hidden"}',
    ],
    ['{"p\\u0061ssword":"x","b":"http:\\/\\/bob:x\\u0040host"}', '{"password":"hidden","b":"http://hidden@host"}'],
    ['{"token":null,"a":[{"secret":true}]}', '{"token":null,"a":[{"secret":"hidden"}]}'],
    ['{"__proto__":{"password":"x"}}', '{"__proto__":{"password":"hidden"}}'],
    ['{"url":"http://bob:x@host","url":"b"}', '{"url":"b"}'],
    ['user=bob&password=hunter2&pin=1', 'user=bob&password=hidden&pin=hidden'],
    ['{"pass":"x","auth":"y","passed":1}', '{"pass":"hidden","auth":"hidden","passed":1}'],
    [
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b--\r\n',
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhidden\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b--\r\n',
    ],
    ['{"password":"hunter2",}', '{"password":"hidden",}'],
    ['<p>password=hunter2</p>', '<p>password=hidden</p>'],
    [deep, `${'['.repeat(64)}"hidden"${']'.repeat(64)}`],
    ['', ''],
  ];
  for (const [text, shown] of bodies)
    it(`shows ${text.slice(0, 60)} as ${shown.slice(0, 60)}`, () => expect(redactBody(text)).to.equal(shown));
});

describe('a long text', () => {
  const size = 300_000;
  const parts = [
    ...['a', 'eyJ-', 'eyJaaaaaaaaaa.', '://', '://a:', '://@', 'bearer ', 'basic aaaaaa ', '?a=b', '"token":"'],
    ...['token=x ', '%3A%2F%2F', '&token', 'a=', '"a" ', ' ', '-----BEGIN PRIVATE KEY-----', 'ghp_', 'http://a:b'],
    ...['%25', 'token%3D'],
  ];
  for (const part of parts) {
    it(`of ${part} ends, alone and after the start of a secret`, () => {
      const long = part.repeat(size / part.length);
      for (const start of ['', '?token=', 'Bearer ', 'http://a:', 'eyJ', 'ghp_', '"token":"'])
        redactText(`${start}${long}`);
      expect(redactBody(long)).to.be.a('string'); // a pattern that backtracks would take minutes
    });
  }

  it('with too many secrets is hidden as a whole', () => {
    expect(redactText('token=x '.repeat(10_000))).to.equal('token=hidden '.repeat(10_000));
    expect(redactText('token=x '.repeat(10_001))).to.equal('hidden');
  });
});
