// Finds contracts wherever people keep them, and reports everything that is wrong at once.

import { symlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type GatherOptions, gather } from '../../../harness/verify/gather.js';
import type { Found } from '../../../harness/verify/pacts/found.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { CUT_SHORT, REFUSED } from '../../support/wire/connection-failures.js';
import { listening } from '../../support/wire/server.js';

const pact = (consumer: string, provider = 'push-pull') =>
  JSON.stringify({
    consumer: { name: consumer },
    provider: { name: provider },
    interactions: [{ description: 'a push', request: {}, response: {} }],
  });
const broker = { selectors: [], includePending: false };
const plain: GatherOptions = { broker, patience: 60_000 };

describe('gathering contracts', () => {
  const made: Scratch[] = [];
  const servers: Server[] = [];
  afterEach(async () => {
    for (const one of made.splice(0)) one.drop();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  const folder = (files: Readonly<Record<string, string>>) => {
    const one = scratch(files);
    made.push(one);
    return one.path;
  };
  const serving = (listener: RequestListener) => {
    const server = createServer(listener);
    servers.push(server);
    return listening(server);
  };
  /** The result, by names, without the folder. */
  const portable = ({ contracts, problems, notices, unreachable }: Found, root: string) => {
    const bare = (text: string) => text.replaceAll(`${root}/`, '').replaceAll(root, '.');
    return {
      consumers: contracts.map(({ consumer }) => consumer),
      problems: problems.map(bare),
      notices: notices.map(bare),
      ...(unreachable.length > 0 && { unreachable: bare(unreachable.join('\n')) }),
    };
  };
  const gathered = async (root: string, words: readonly string[], options: Partial<GatherOptions> = {}) =>
    portable(await gather(words, { ...plain, ...options }), root);
  const good = (...consumers: string[]) => ({ consumers, problems: [], notices: [] });

  describe('in files and folders', () => {
    it('takes a file, a folder and a file URL, several at once, each file once', async () => {
      const root = folder({ 'b.json': pact('b'), 'a.json': pact('a'), 'more/c.json': pact('c') });
      symlinkSync(join(root, 'a.json'), join(root, 'more', 'd.json'));
      const words = [
        join(root, 'b.json'),
        join(root, 'more'),
        pathToFileURL(join(root, 'a.json')).href,
        `${root}/more/../b.json`,
      ];
      expect(await gathered(root, words)).to.deep.equal(good('b', 'c', 'a'));
      expect((await gather(words, plain)).contracts.map(({ source }) => source)).to.deep.equal([
        join(root, 'b.json'),
        join(root, 'more/c.json'),
        join(root, 'more/d.json'),
      ]);
    });

    it('takes the *.json of a folder in the order of their names, and reports the other files', async () => {
      const others = { 'README.md': '#', 'old/x.json': pact('x'), 'z.json/y': '' };
      const root = folder({ 'b.json': pact('b'), 'A.JSON': pact('a'), ...others });
      const notice = '.: README.md, old/, z.json/ skipped: in a folder, only *.json files are read, not subfolders.';
      expect(await gathered(root, [root])).to.deep.equal({ ...good('a', 'b'), notices: [notice] });
      expect((await gathered(root, [join(root, 'z.json')])).problems).to.deep.equal([
        'z.json: This folder contains no *.json file, only y.',
      ]);
    });

    it('reports everything that is wrong at once, with the correct files', async () => {
      const root = folder({ 'a.json': '{', 'b.json': '{}', 'c.json': pact('c'), 'd.json': '\xff' });
      symlinkSync(join(root, 'nowhere'), join(root, 'e.json'));
      expect(
        await gathered(root, [root, join(root, 'c.jsn'), 'ftp://host/x', 'http://[', 'file://else/x']),
      ).to.deep.equal({
        consumers: ['c'],
        problems: [
          'a.json:1:2: Invalid JSON: expected "}", found the end of the file.',
          'b.json: Not a pact: it has no consumer, no provider and no interactions.',
          'd.json:1:1: Invalid JSON: expected a value or a name in double quotes, found "ÿ".',
          'e.json: This is a symbolic link to a file that does not exist.',
          `c.jsn: No such file or folder (did you mean "c.json"?).`,
          'ftp://host/x: Pacts are read from files, folders and http(s) URLs, not from ftp URLs.',
          '"http://[" is not a URL.',
          `file://else/x: This is not a local file: File URL host must be "localhost" or empty on ${process.platform}.`,
        ],
        notices: [],
      });
    });
  });

  describe('by provider', () => {
    const mixed = { 'a.json': pact('a'), 'b.json': pact('b', 'wiki-extension'), 'c.json': pact('c', 'wiki-extention') };

    it('reports an unknown provider, and the nearest or the one that its requests are for', async () => {
      const request = { method: 'POST', path: '/rest/cwx-ppf/latest/push' };
      const asking = {
        ...JSON.parse(pact('a', "Jo's wiki")),
        interactions: [{ description: 'a push', request, response: {} }],
      };
      const root = folder({ ...mixed, 'd.json': JSON.stringify(asking) });
      const { consumers, problems } = await gathered(root, [root]);
      expect(consumers).to.deep.equal(['a', 'b']);
      expect(problems[0]).to.match(
        /^c\.json: .*did you mean "wiki-extension".* --provider wiki-extention=wiki-extension\.$/,
      );
      expect(problems[1]).to.match(/^d\.json: .*--provider 'Jo'\\''s wiki'=push-pull\.$/);
    });

    it('takes those of several, and reports one that no contract has', async () => {
      const root = folder(mixed);
      expect(await gathered(root, [root], { providers: ['push-pull', 'wiki-extention', 'bus'] })).to.deep.equal({
        consumers: ['a', 'c'],
        problems: [],
        notices: ['No contract has the provider "bus".', 'One contract with other providers skipped: wiki-extension.'],
      });
    });
  });

  describe('at URLs', () => {
    const serverResponse = (text: string, type = 'application/json', status = 200) =>
      serving((_, response) => response.writeHead(status, { 'Content-Type': type }).end(text));

    it('takes a pact, once for each URL, and shows no secret of the URL', async () => {
      const heard: string[] = [];
      const url = await serving((request, response) => {
        heard.push(`${request.url} ${request.headers.authorization}`);
        response.end(pact('a'));
      });
      const secret = url.replace('//', '//joe:s%40cret@');
      const { contracts } = await gather([`${secret}/a.json?token=abc&v=1`, `${url}/b.json`, `${url}/b.json#x`], plain);
      expect(contracts.map(({ source }) => source)).to.deep.equal([`${url}/a.json?token=hidden&v=1`, `${url}/b.json`]);
      const basic = `Basic ${Buffer.from('joe:s@cret').toString('base64')}`;
      expect(heard.sort()).to.deep.equal([`/a.json?token=abc&v=1 ${basic}`, '/b.json undefined']);
    });

    it('reports how to fix a refusal, with and without credentials', async () => {
      const refused: ReadonlyArray<readonly [status: number, without: RegExp, withToken: RegExp]> = [
        [401, /credentials; give --broker-token/, /rejects the credentials of --broker-token/],
        [403, /credentials; give --broker-token/, /lacks permission/],
        [404, /check the URL\. .* give --broker-token/, /check the URL\.$/],
        [500, /try again later/, /try again later/],
        [418, /cannot be used/, /cannot be used/],
      ];
      for (const [status, without, withToken] of refused) {
        const url = await serverResponse('no', 'text/plain', status);
        const told = (await gather([url], { ...plain, broker: { ...broker, token: 'hush' } })).problems;
        for (const [problems, fix] of [
          [(await gather([url], plain)).problems, without],
          [told, withToken],
        ] as const) {
          expect(problems).to.have.length(1);
          expect(problems[0]).to.include(`${url}/ responds with ${status}: `).and.to.match(fix);
        }
      }
    });

    it('reports what is neither a pact nor a broker', async () => {
      for (const [text, type, says] of [
        ['<html>', 'text/html; charset=utf-8', 'a web page'],
        ['oops', 'text/plain', 'not JSON'],
        ['[]', 'application/json', 'not an object'],
        ['{"_links": {"self": {"href": "/"}}}', 'application/hal+json', 'neither a pact nor the root'],
        ['{"interactions": []}', 'application/json', 'Not a pact: it has no consumer and no provider'],
      ] as const) {
        const url = await serverResponse(text, type);
        const { problems } = await gather([url], plain);
        expect(problems, text).to.have.length(1);
        expect(problems[0]).to.include(`${url}/`).and.to.include(says);
      }
    });

    it('reports servers that are away, silent, break off or send too much, and goes on with the others', async () => {
      const silent = await serving(() => undefined);
      const gone = await serving(() => undefined);
      servers.pop()?.close();
      const broken = await serving((_, response) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy());
      });
      const large = await serving((_, response) => response.end(Buffer.alloc(9 * 2 ** 20, ' ')));
      const root = folder({ 'a.json': pact('a') });
      const words = [silent, gone, broken, large, join(root, 'a.json')];
      expect(await gathered('no folder', words, { patience: 2_000 })).to.deep.equal({
        consumers: ['a'],
        problems: [`${large}/ sent more than 8388608 bytes.`],
        notices: [],
        unreachable: [
          `${silent}/ does not respond: no response within 2 s.`,
          `${gone}/ does not respond: ${REFUSED}.`,
          `${broken}/ does not respond: ${CUT_SHORT}.`,
        ].join('\n'),
      });
    });

    it('follows redirects, on the same host with the credentials and to another without', async () => {
      const heard: string[] = [];
      const other = await serving((request, response) => {
        heard.push(`other ${request.headers.authorization}`);
        if (request.url === '/locked') response.writeHead(401).end();
        else response.end(pact('a'));
      });
      const url = await serving((request, response) => {
        heard.push(`first ${request.headers.authorization}`);
        const to: Record<string, string> = {
          '/a': '/b',
          '/b': `${other}/pact`,
          '/c': `${other}/locked`,
          '/loop': '/loop',
          '/odd': 'mailto:x',
        };
        response.writeHead(302, { Location: to[request.url ?? ''] }).end();
      });
      const withToken = { broker: { ...broker, token: 'hush' } };
      expect((await gather([`${url}/a`], withToken)).contracts.map(({ consumer }) => consumer)).to.deep.equal(['a']);
      expect(heard).to.deep.equal(['first Bearer hush', 'first Bearer hush', 'other undefined']);
      const { host } = new URL(other);
      const others = ['/c', '/loop', '/odd'].map(path => `${url}${path}`);
      expect((await gather(others, withToken)).problems).to.deep.equal([
        `${other}/locked responds with 401: the URL redirects to ${host}, to which no credentials are sent; if that host is right, give ${other}/locked directly.`,
        `${url}/loop redirects more than 5 times.`,
        `${url}/odd redirects to "mailto:x", which is not an http(s) URL.`,
      ]);
    });
  });
});
