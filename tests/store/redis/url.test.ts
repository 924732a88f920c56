// Parses the URL of a Redis store, and says what is wrong with one, without its credentials.
import { expect } from 'chai';
import { checkRedisUrl, readRedisUrl } from '../../../server/store/redis/url.js';

describe('the URL of a store in Redis', () => {
  const right: ReadonlyArray<readonly [url: string, read: object]> = [
    [
      'redis://localhost/',
      {
        kind: 'server',
        hosts: [{ host: 'localhost', port: 6379 }],
        database: 0,
        prefix: 'cwx',
        shown: 'redis://localhost',
        where: 'localhost',
      },
    ],
    [
      'redis://u%40x:p%2Fw%3A@h:7000/3?prefix=ci-1',
      {
        user: 'u@x',
        password: 'p/w:',
        database: 3,
        prefix: 'ci-1',
        shown: 'redis://h:7000/3?prefix=ci-1',
        where: 'h:7000/3',
      },
    ],
    ['redis://u:p@w%25%@h', { user: 'u', password: 'p@w%%', shown: 'redis://h' }],
    ['redis://:secret@[::1]:7000', { hosts: [{ host: '::1', port: 7000 }], password: 'secret' }],
    [
      'redis+cluster://a:1,b',
      {
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
        ],
      },
    ],
    [
      'redis+sentinel://a:1,b/main.1',
      {
        kind: 'sentinel',
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 26379 },
        ],
        master: 'main.1',
        shown: 'redis+sentinel://a:1,b/main.1',
      },
    ],
    ['rediss://me:hush@h:1?ca=/home/me/a.pem', { tls: { ca: '/home/me/a.pem' }, shown: 'rediss://h:1' }],
    [
      'rediss+cluster://h?cert=/c&key=/k&servername=n&insecure=true',
      { tls: { cert: '/c', key: '/k', servername: 'n', insecure: 'true' } },
    ],
  ];
  for (const [url, read] of right)
    it(`reads ${url}`, () => {
      expect(readRedisUrl(url)).to.deep.include(read);
    });

  const wrong: ReadonlyArray<readonly [url: string, message: RegExp]> = [
    ['localhost:6379', /^expected redis:\/\/host:port/],
    ['http://h', /unsupported scheme "http": expected redis, rediss/],
    ['redis://', /^the host is invalid: expected host:port/],
    ['redis://u:hush@h:0', /^the port of the host must be a number from 1 to 65535/],
    ['redis://a,b', /several hosts are allowed only with redis\+cluster/],
    ['redis://h/one', /^\/one is not a database number/],
    ['redis+cluster://h/1', /a Cluster has only one database: omit \/1/],
    ['redis+sentinel://h', /expected the name of the master after the Sentinels/],
    ['redis://u:hush@h?prefx=a', /unknown setting "prefx" \(did you mean "prefix"\?\)/],
    ['redis://h?prefix=', /"prefix" is empty/],
    ['redis://h?prefix=a{b', /^the prefix must be 1 to 64 letters/],
    ['redis://h?ca=/a', /the setting "ca" works only with TLS: rediss/],
    ['rediss://h?cert=/a', /cert and key must be given together/],
    ['rediss://h?insecure=yes', /insecure must be true or false/],
    ['redis://hush@h', /the user has no password/],
    ['redis://user:@h', /the user has no password/],
  ];
  for (const [url, message] of wrong)
    it(`says what is wrong with ${url}`, () => {
      expect(checkRedisUrl(url)).to.match(message).and.not.include('hush');
    });
});
