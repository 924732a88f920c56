// Parses the URL of a Redis store, and reports exactly what is wrong with one, without its credentials.
import { expect } from 'chai';
import { checkRedisUrl, type RedisAddress, readRedisUrl } from '../../../../server/store/redis/connection/url.js';

function read(url: string): RedisAddress {
  const address = readRedisUrl(url);
  if (typeof address === 'string') throw new Error(address);
  return address;
}

describe('the URL of a store in Redis', () => {
  it('sets host, port, database, user and prefix', () => {
    expect(read('redis://127.0.0.1')).to.deep.equal({
      hosts: [{ host: '127.0.0.1', port: 6379 }],
      isCluster: false,
      database: 0,
      prefix: 'cwx',
      shown: 'redis://127.0.0.1',
    });
    expect(read('redis://u%40x:p%2Fw%3A@cache.example:7000/3?prefix=ci-1')).to.deep.equal({
      hosts: [{ host: 'cache.example', port: 7000 }],
      isCluster: false,
      user: 'u@x',
      password: 'p/w:',
      database: 3,
      prefix: 'ci-1',
      shown: 'redis://cache.example:7000/3?prefix=ci-1',
    });
    expect(read('redis://:secret@[::1]:7000')).to.deep.include({
      hosts: [{ host: '::1', port: 7000 }],
      password: 'secret',
    });
    expect(read('redis://localhost/')).to.include({ database: 0, shown: 'redis://localhost' });
  });

  it('names nodes of a Cluster', () => {
    expect(read('redis+cluster://a:1,b,[::1]:3')).to.deep.include({
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: 6379 },
        { host: '::1', port: 3 },
      ],
      isCluster: true,
    });
  });

  it('configures TLS', () => {
    expect(read('rediss://h').tls).to.deep.equal({ isUnchecked: false });
    expect(read('rediss+cluster://h?ca=/a.pem&cert=/c.pem&key=/k.pem&servername=n&insecure=true').tls).to.deep.equal({
      ca: '/a.pem',
      cert: '/c.pem',
      key: '/k.pem',
      servername: 'n',
      isUnchecked: true,
    });
    expect(read('redis://h').tls).to.equal(undefined);
  });

  it('is shown without credentials and files', () => {
    expect(read('rediss://me:hush@h:1?ca=/home/me/a.pem').shown).to.equal('rediss://h:1');
  });

  const wrong: ReadonlyArray<readonly [url: string, message: RegExp]> = [
    ['', /^expected redis:\/\/host:port/],
    ['localhost:6379', /^expected redis:\/\/host:port/],
    ['http://h', /unsupported scheme "http": expected redis, rediss/],
    ['redis+clustr://h', /unsupported scheme "redis\+clustr" \(did you mean "redis\+cluster"\?\)/],
    ['redis://', /^the host is invalid: expected host:port/],
    ['redis://h:port', /^the host is invalid/],
    ['redis://h:0', /^the port of the host must be a number from 1 to 65535/],
    ['redis://h:65536', /^the port of the host must be a number/],
    ['redis+cluster://a:1,,c', /^host 2 is invalid/],
    ['redis+cluster://a:1,b:99999', /^the port of host 2 must be a number/],
    ['redis://a,b', /several hosts are allowed only with redis\+cluster/],
    ['redis://h/one', /^\/one is not a database number/],
    ['redis+cluster://h/1', /a Cluster has only one database: omit \/1/],
    ['redis://h?prefx=a', /unknown setting "prefx" \(did you mean "prefix"\?\)/],
    ['redis://h?prefix=', /"prefix" is empty/],
    ['redis://h?prefix=a{b', /^the prefix must be 1 to 64 letters/],
    ['redis://h?ca=/a', /the setting "ca" works only with rediss/],
    ['rediss://h?cert=/a', /cert and key must be given together/],
    ['rediss://h?insecure=yes', /insecure must be true or false/],
    ['redis://user@h', /the user has no password/],
    ['redis://user:a@b@h', /contains an @: write it as %40/],
    ['redis://user:100%@h', /an invalid %/],
  ];
  for (const [url, message] of wrong) {
    it(`reports what is wrong with ${url === '' ? 'an empty one' : url}`, () => {
      expect(checkRedisUrl(url)).to.match(message);
    });
  }

  it('is never shown with its password', () => {
    for (const url of [
      'redis://u:hush@h:0',
      'redis://u:hush@h?x=1',
      'redis://u:hush@@h',
      'redis://hush:hush:h',
      'redis://u:hu%sh@h',
      'redis://u:hush/@h',
    ])
      expect(checkRedisUrl(url))
        .to.be.a('string')
        .that.does.not.match(/hu%?sh/);
  });
});
