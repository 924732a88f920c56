// The URL of a target, in all common forms, and a server without known readings.
import { expect } from 'chai';
import { splitContext, urlError } from '../../../harness/target/any-server.js';

describe('the URL of a target', () => {
  it('is split into the address and the context path, below a sandbox or without', () => {
    for (const [given, url, context] of [
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080', ''],
      ['http://127.0.0.1:8080/wiki/', 'http://127.0.0.1:8080', '/wiki'],
      ['http://127.0.0.1:8080/~job-7', 'http://127.0.0.1:8080/~job-7', ''],
      ['http://127.0.0.1:8080/~job-7/wiki', 'http://127.0.0.1:8080/~job-7', '/wiki'],
      ['http://gate/proxied/wiki', 'http://gate/proxied', '/wiki'],
      ['http://[::1]:8080/wiki', 'http://[::1]:8080', '/wiki'],
      ['https://Wiki.Example.COM:443', 'https://wiki.example.com', ''],
      ['http://host//wiki', 'http://host', '/wiki'],
    ] as const) {
      expect(urlError(given)).to.equal(undefined);
      expect(splitContext(given), given).to.deep.equal({ url, context });
    }
  });

  it('is refused without a scheme or a host, and with credentials, a query or a fragment', () => {
    for (const [part, ...all] of [
      ['http://127.0.0.1:8080', '127.0.0.1:8080', '', 'http://', 'http://host:99999'],
      ['begins with http:// or https://', 'localhost:8080', 'ftp://host'],
      ['without credentials', 'http://admin:admin@host', 'http://:x@host'],
      ['without query or fragment', 'http://host/?a=b', 'http://host/#top'],
    ] as const)
      for (const given of all) expect(urlError(given), given).to.include(part);
  });
});
