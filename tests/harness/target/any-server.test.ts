// The URL of a target, in all common forms, and a server without known readings.
import { expect } from 'chai';
import { anyServer, splitContext, urlError } from '../../../harness/target/any-server.js';
import { loadNamed } from '../../../server/scenario/load/load.js';
import { Player } from '../../../server/scenario/play/player.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { playedBy, playedText } from '../../support/scenarios/played.js';
import { useServer } from '../../support/wire/server.js';

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
    ['http://host/?a=b', 'it must be a URL without query and fragment'],
    ['http://host/#top', 'it must be a URL without query and fragment'],
  ] as const) {
    it(`${JSON.stringify(given)} is invalid`, () => expect(urlError(given)).to.equal(error));
  }
});

describe('any server', () => {
  const server = useServer('small-team', { control: 'off', 'no-explain': true });

  it('is called at its URL, and shows nothing of its state', async () => {
    for (const form of ['', '/', '/wiki', '/~a', '/~b/wiki']) {
      const loaded = loadNamed('group-membership', server.context.folders);
      if (isProblems(loaded)) throw new Error('it does not load');
      const target = anyServer(`${server.url}${form}`);
      expect(target).to.not.have.property('control');
      const [first] = await playedBy(new Player({ ...loaded, steps: loaded.steps.slice(0, 1) }, target));
      await target.close();
      expect(first && playedText(first), form).to.deep.equal([]);
      expect(first?.outcome).to.equal('passed');
      expect(first?.unchecked).to.deep.equal(['then', 'proves']);
    }
  });
});
