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
const plain: GatherOptions = { broker, patience: 5000 };

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
      const root = folder({
        'b.json': pact('b'),
        'A.JSON': pact('a'),
        'README.md': '#',
        'old/x.json': pact('x'),
        'z.json/y': '',
      });
      const notice = '.: README.md, old/, z.json/ skipped: in a folder, only *.json files are read, not subfolders.';
      expect(await gathered(root, [root])).to.deep.equal({ ...good('a', 'b'), notices: [notice] });
    });

    it('reports a folder without any *.json, and what it contains', async () => {
      const many = Object.fromEntries([1, 2, 3, 4, 5, 6].map(name => [`many/${name}`, '']));
      const root = folder({ 'none/a.txt': '', 'empty/x': '', ...many });
      made[0]?.remove('empty/x');
      const folders = ['none', 'empty', 'many'].map(name => join(root, name));
      expect((await gathered(root, folders)).problems).to.deep.equal([
        'none: This folder contains no *.json file, only a.txt.',
        'empty: This folder contains no *.json file.',
        'many: This folder contains no *.json file, only 1, 2, 3, 4, 5 and 1 more.',
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

    it('reports a contract without interactions', async () => {
      const root = folder({ 'a.json': JSON.stringify({ ...JSON.parse(pact('a')), interactions: [] }) });
      expect(await gathered(root, [root])).to.deep.equal({ ...good('a'), notices: ['a.json has no interactions.'] });
    });
  });

  describe('by provider', () => {
    const mixed = { 'a.json': pact('a'), 'b.json': pact('b', 'wiki-extension'), 'c.json': pact('c', 'wiki-extention') };

    it('reports an unknown provider, with the API that its requests are for', async () => {
      const request = { method: 'POST', path: '/rest/cwx-ppf/latest/push' };
      const asking = {
        ...JSON.parse(pact('a', 'jira')),
        interactions: [{ description: 'a push', request, response: {} }],
      };
      const root = folder({ 'e.json': JSON.stringify(asking) });
      const { problems } = await gathered(root, [root]);
      expect(problems.join()).to.match(/map its name, as in --provider jira=push-pull\.$/);
    });

    it('reports an unknown provider, and the nearest', async () => {
      const root = folder({ ...mixed, 'd.json': pact('d', "Jo's wiki") });
      expect(await gathered(root, [root])).to.deep.equal({
        consumers: ['a', 'b'],
        problems: [
          'c.json: Unknown provider "wiki-extention" (did you mean "wiki-extension"?): expected wiki-extension or push-pull. If it implements one of them, map its name, as in --provider wiki-extention=wiki-extension.',
          `d.json: Unknown provider "Jo's wiki": expected wiki-extension or push-pull. If it implements one of them, map its name, as in --provider 'Jo'\\''s wiki'=wiki-extension.`,
        ],
        notices: [],
      });
    });

    it('takes those of the named one, whatever its name, and counts the others', async () => {
      const root = folder(mixed);
      expect(await gathered(root, [root], { providers: ['wiki-extention'] })).to.deep.equal({
        ...good('c'),
        notices: ['2 contracts with other providers skipped: push-pull, wiki-extension.'],
      });
      expect(
        (await gathered(root, [join(root, 'a.json'), join(root, 'b.json')], { providers: ['push-pull'] })).notices,
      ).to.deep.equal(['One contract with other providers skipped: wiki-extension.']);
      expect(await gathered(root, [join(root, 'a.json')], { providers: ['push-pull'] })).to.deep.equal(good('a'));
    });

    it('takes those of several, and reports one that no contract has', async () => {
      const root = folder(mixed);
      expect(await gathered(root, [root], { providers: ['push-pull', 'wiki-extention', 'bus'] })).to.deep.equal({
        consumers: ['a', 'c'],
        problems: [],
        notices: ['No contract has the provider "bus".', 'One contract with other providers skipped: wiki-extension.'],
      });
    });

    it('lists the providers if no contract has the named one', async () => {
      const root = folder(mixed);
      expect(await gathered(root, [root], { providers: ['push-pul'] })).to.deep.equal({
        consumers: [],
        problems: [
          'No contract has the provider "push-pul" (did you mean "push-pull"?): the contracts have "push-pull", "wiki-extension", "wiki-extention".',
        ],
        notices: [],
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

    it('sends the token or the user of the options', async () => {
      const heard: unknown[] = [];
      const url = await serving((request, response) => {
        heard.push(request.headers.authorization);
        response.end(pact('a'));
      });
      await gather([`${url}/1`], { broker: { ...broker, token: 'abc', basic: { user: 'u', password: 'p' } } });
      await gather([`${url}/2`], { broker: { ...broker, basic: { user: 'u', password: 'p:q' } } });
      await gather([url.replace('//', '//own:x%zz@')], { broker: { ...broker, token: 'abc' } });
      const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
      expect(heard).to.deep.equal(['Bearer abc', basic('u:p:q'), basic('own:x%zz')]);
    });

    const NEEDS = 'it requires credentials; give --broker-token <token> or --broker-user <user:password>';
    const LACKS =
      'the account of --broker-token lacks permission: it must be allowed to read, and to write for publishing';
    const HIDES =
      'check the URL. Some brokers respond like this to requests without credentials: then give --broker-token <token> or --broker-user <user:password>';
    const LATER = 'the server failed; try again later';
    const refused: ReadonlyArray<readonly [status: number, without: string, withToken: string]> = [
      [401, NEEDS, 'it rejects the credentials of --broker-token'],
      [403, NEEDS, LACKS],
      [404, HIDES, 'check the URL'],
      [500, LATER, LATER],
      [418, 'this response cannot be used', 'this response cannot be used'],
    ];
    for (const [status, without, withToken] of refused)
      it(`reports how to fix ${status}`, async () => {
        const url = await serverResponse('no', 'text/plain', status);
        expect((await gathered('no folder', [url])).problems).to.deep.equal([
          `${url}/ responds with ${status}: ${without}.`,
        ]);
        const { problems } = await gather([url], { broker: { ...broker, token: 'hush' } });
        expect(problems).to.deep.equal([`${url}/ responds with ${status}: ${withToken}.`]);
      });

    it('reports what the response says, without a secret it repeats', async () => {
      const url = await serverResponse('{"error": {"message": "no hush for hush"}}', 'application/problem+json', 401);
      const { problems } = await gather([url], { broker: { ...broker, token: 'hush' } });
      expect(problems).to.deep.equal([
        `${url}/ responds with 401 (no *** for ***): it rejects the credentials of --broker-token.`,
      ]);
    });

    const GIVE = 'give the URL of a pact or of the root of a Pact Broker';
    const FOREIGN = 'responds with JSON that is neither a pact nor the root of a Pact Broker';
    const odd: ReadonlyArray<readonly [what: string, text: string, type: string, says: string]> = [
      ['a web page', '<html>', 'text/html; charset=utf-8', `responds with a web page: ${GIVE}`],
      ['no JSON', 'oops', 'text/plain', `responds with a body that is not JSON: ${GIVE}`],
      ['no object', '[]', 'application/json', `responds with JSON that is not an object: ${GIVE}`],
      ['another API', '{"_links": {"self": {"href": "/"}}}', 'application/hal+json', FOREIGN],
    ];
    for (const [what, text, type, says] of odd)
      it(`reports ${what} at the URL`, async () => {
        const url = await serverResponse(text, type);
        expect((await gathered('no folder', [url])).problems).to.deep.equal([`${url}/ ${says}.`]);
      });

    it('reports an invalid pact with its URL', async () => {
      const url = await serverResponse('{"interactions": []}');
      expect((await gathered('no folder', [url])).problems).to.deep.equal([
        `${url}/: Not a pact: it has no consumer and no provider.`,
      ]);
    });

    it('reports an unreachable server, and goes on with the others', async () => {
      const url = await serving(() => undefined);
      const gone = await serving(() => undefined);
      servers.pop()?.close();
      const root = folder({ 'a.json': pact('a') });
      const gatheredThere = await gather([url, gone, join(root, 'a.json')], { broker, patience: 200 });
      expect(gatheredThere.unreachable.join('\n')).to.equal(
        `${url}/ does not respond: no response within 0.2 s.\n${gone}/ does not respond: ${REFUSED}.`,
      );
      expect({ problems: gatheredThere.problems, length: gatheredThere.contracts.length }).to.deep.equal({
        problems: [],
        length: 1,
      });
    });

    it('reports a response that breaks off, that never ends, or that is too large', async () => {
      const broken = await serving((_, response) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy());
      });
      const trickling = await serving((_, response) => {
        response.write('{');
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      });
      const large = await serving((_, response) => response.end(Buffer.alloc(9 * 2 ** 20, ' ')));
      expect(await gathered('no folder', [broken, trickling, large], { patience: 2000 })).to.deep.equal({
        consumers: [],
        problems: [`${large}/ sent more than 8388608 bytes.`],
        notices: [],
        unreachable: `${broken}/ does not respond: ${CUT_SHORT}.\n${trickling}/ does not respond: no response within 2 s.`,
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
