// The URL of a target, in all common forms, and a server without known readings.
import { expect } from 'chai';
import { splitContext, urlError } from '../../../harness/target/any-server.js';

describe('the URL of a target', () => {
  const forms: ReadonlyArray<readonly [given: string, url: string, context: string]> = [
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', ''],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080', ''],
    ['http://127.0.0.1:8080/wiki', 'http://127.0.0.1:8080', '/wiki'],
    ['http://127.0.0.1:8080/wiki/', 'http://127.0.0.1:8080', '/wiki'],
    ['http://127.0.0.1:8080/~job-7', 'http://127.0.0.1:8080/~job-7', ''],
    ['http://127.0.0.1:8080/~job-7/', 'http://127.0.0.1:8080/~job-7', ''],
    ['http://127.0.0.1:8080/~job-7/wiki', 'http://127.0.0.1:8080/~job-7', '/wiki'],
    ['http://127.0.0.1:8080/~job-7/wiki/', 'http://127.0.0.1:8080/~job-7', '/wiki'],
    ['http://gate/proxied/wiki', 'http://gate/proxied', '/wiki'],
    ['http://[::1]:8080/wiki', 'http://[::1]:8080', '/wiki'],
    ['https://Wiki.Example.COM:443', 'https://wiki.example.com', ''],
    ['http://host//wiki', 'http://host', '/wiki'],
  ];
  for (const [given, url, context] of forms) {
    it(`${given} is ${url} with ${context === '' ? 'no context path' : context}`, () => {
      expect(urlError(given)).to.equal(undefined);
      expect(splitContext(given)).to.deep.equal({ url, context });
    });
  }

  for (const [given, error] of [
    ['localhost:8080', 'it must be a URL that begins with http:// or https://'],
    ['127.0.0.1:8080', 'it must be a URL such as http://127.0.0.1:8080'],
    ['', 'it must be a URL such as http://127.0.0.1:8080'],
    ['http://', 'it must be a URL such as http://127.0.0.1:8080'],
    ['http://host:99999', 'it must be a URL such as http://127.0.0.1:8080'],
    ['ftp://host', 'it must be a URL that begins with http:// or https://'],
    ['http://admin:admin@host', 'it must be a URL without credentials: give them with --as user:password'],
    ['http://:x@host', 'it must be a URL without credentials: give them with --as user:password'],
    ['http://host/?a=b', 'it must be a URL without query or fragment'],
    ['http://host/#top', 'it must be a URL without query or fragment'],
  ] as const) {
    it(`${JSON.stringify(given)} is invalid`, () => expect(urlError(given)).to.equal(error));
  }
});
