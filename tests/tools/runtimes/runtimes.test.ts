// The built program and the library under Deno and Bun.
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { endAll, type Launched, launch, run } from '../../support/processes/command-line.js';
import { curlBare } from '../../support/processes/curl.js';
import { listen } from '../../support/wire/event-reader.js';
import { send, sendJson, sendRaw } from '../../support/wire/server.js';

const { platform, arch } = process;
const packages = join(import.meta.dirname, '../node_modules');
const deno = join(packages, `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/deno`);
const bun = join(packages, `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}/bin/bun`);

const runtimes: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  Deno: [deno, 'run', '-A'],
  Bun: [bun],
};

/** Links, without a socket, over HTTP and over HTTPS. */
const LIBRARY = `
import { createFake, startFake } from 'cwx-fake';
const headers = { authorization: 'Basic ' + btoa('admin:admin') };
const base = async (fake, url) => (await (await fake.fetch(url + '/rest/api/space', { headers })).json())._links.base;
const inProcess = await createFake();
console.log(await base(inProcess, inProcess.url));
await inProcess.stop();
const served = await startFake({ port: 0 });
console.log((await base({ fetch }, served.url)) === served.url);
console.log((await served.sandbox('default').journal()).length);
await served.stop();
`;

const commands: Readonly<Record<string, readonly [args: readonly string[], shows: RegExp]>> = {
  play: [['play', 'first-steps'], /4 steps passed, 0 failed/],
  doctor: [['doctor', '--port', '0'], /passed, 0 warnings, 0 failed/],
  verify: [['verify', `${packageFolder}/contracts/pacts`, '--provider', 'push-pull'], /13 passed, 1 warning, 0 failed/],
  openapi: [['openapi'], /"openapi": "3\.1\.0"/],
};

const SPACE = '/rest/api/space/ds';
const PUSH = '/rest/cwx-ppf/latest/push';
const pushed = { users: ['alice'], filters: [10500] };

/** Arms a fault, and gives what curl gets from a request: its exit code and the body. */
async function through({ url }: Launched, effect: object) {
  const armed = await sendJson(`${url}/_fake/v1/sandboxes/default/faults`, 'PUT', {
    faults: [{ path: SPACE, effect }],
  });
  expect(armed.status, armed.text).to.equal(200);
  const { code, stdout } = await curlBare(['-sS', '--stderr', '-', `${url}${SPACE}`]);
  return { code, stdout };
}

/** What a server under another runtime does as under Node. */
const behaviours: Readonly<Record<string, (fake: Launched) => Promise<unknown>>> = {
  'changes state and says why': async ({ url }) => {
    const { text, headers } = await sendJson(url + PUSH, 'POST', pushed, 'admin');
    expect(text).to.equal('{"success":true,"messages":[]}');
    expect(headers.get('x-fake-operation')).to.equal('ppf.push');
    const { json } = await send(`${url}/_fake/v1/sandboxes/default/world`);
    expect(json).to.have.nested.property('favourites.alice.filters').that.includes(10500);
  },
  'links to itself': async ({ url }) => {
    for (const path of ['', '/~one', '/~one/wiki'])
      expect((await send(url + path + SPACE)).json).to.have.nested.property('_links.self', url + path + SPACE);
  },
  'cuts responses short': async fake => {
    const { code, stdout } = await through(fake, { truncateAt: 7 });
    expect({ code, stdout: stdout.slice(0, 6) }).to.deep.equal({ code: 18, stdout: '{"id":' });
  },
  'sends responses in pieces': async fake => {
    const { code, stdout } = await through(fake, { dribble: { bytes: 100, every: 1 } });
    expect({ code, key: JSON.parse(stdout).key }).to.deep.equal({ code: 0, key: 'ds' });
  },
  'answers what is no HTTP': async ({ url }) =>
    expect(await sendRaw(url, 'nonsense\r\n\r\n')).to.match(/^HTTP\/1\.1 400 /),
  'refuses too long headers': async ({ url }) =>
    expect(await sendRaw(url, `GET ${SPACE} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).to.match(
      / 431 /,
    ),
  'answers pipelined requests in order': async ({ url }) => {
    const get = (key: string, last = '') => `GET /rest/api/space/${key} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
    const responses = await sendRaw(url, get('ds') + get('tmpl') + get('no', 'Connection: close\r\n'));
    expect(responses.match(/HTTP\/1\.1 \d+|"key":"\w+"/g)).to.deep.equal([
      'HTTP/1.1 200',
      '"key":"ds"',
      'HTTP/1.1 200',
      '"key":"tmpl"',
      'HTTP/1.1 404',
    ]);
  },
  'goes on where garbage exceeds --max-memory': async ({ url }) => {
    const body = { users: ['alice'.repeat(100_000)], filters: [10500] };
    for (let i = 0; i < 50; i += 1) expect((await sendJson(url + PUSH, 'POST', body, 'admin')).status).to.equal(200);
  },
  'streams events, and ends them when it stops': async fake => {
    const feed = await listen(`${fake.url}/_fake/v1/sandboxes/one/events`);
    await send(`${fake.url}/~one${SPACE}`);
    expect((await feed.count(1))[0]).to.have.property('type', 'entry');
    expect((await fake.signal('SIGTERM')).code).to.equal(0);
    await feed.ended;
  },
};

describe('other runtimes', () => {
  let place: Scratch;
  before(() => {
    place = scratch({ 'library.mjs': LIBRARY, 'package.json': '{ "type": "module" }', 'node_modules/.keep': '' });
    symlinkSync(packageFolder, join(place.path, 'node_modules/cwx-fake'));
  });
  after(() => place.drop());

  for (const [name, runtime] of Object.entries(runtimes))
    describe(name, () => {
      let server: Launched;
      before(async function () {
        if (!existsSync(runtime[0])) {
          console.log(`      skipped: ${runtime[0]} is not installed, or does not exist for ${platform}-${arch}`);
          return this.skip();
        }
        server = await launch(['--max-memory', '16'], { runtime });
      });
      after(endAll);

      for (const [command, [args, shows]] of Object.entries(commands))
        it(`runs ${command}`, async () => {
          const { code, stdout, stderr } = await run(args, { runtime, cwd: place.path });
          expect(code, stderr).to.equal(0);
          expect(stdout).to.match(shows);
        });

      it('runs the library, whose links are http', async () => {
        const { stdout, stderr } = await run([], { runtime, program: 'library.mjs', cwd: place.path });
        expect(stdout, stderr).to.equal('http://fake.localhost\ntrue\n1\n');
      });

      for (const [behaviour, check] of Object.entries(behaviours)) it(behaviour, () => check(server)); // the last one stops it

      it('serves HTTPS, breaks it, and links to itself', async () => {
        const fake = await launch(['--tls'], { runtime });
        await fake.says(/to trust: \S+\n/);
        const trusting = ['-sS', '--stderr', '-', '--cacert', /to trust: (\S+)/.exec(fake.stderr())?.[1] ?? ''];
        const get = async () => curlBare([...trusting, fake.url + SPACE]);
        expect(JSON.parse((await get()).stdout)).to.have.nested.property('_links.self', fake.url + SPACE);
        const faults = JSON.stringify({ faults: [{ path: SPACE, effect: { hangUp: true } }] });
        await curlBare([...trusting, '-X', 'PUT', '--json', faults, `${fake.url}/_fake/v1/sandboxes/default/faults`]);
        expect(await get()).to.include({ code: 52 });
        expect((await fake.signal('SIGINT')).code).to.equal(0);
      });
    });
});
