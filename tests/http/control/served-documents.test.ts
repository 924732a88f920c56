// Guide, OpenAPI and the control API's OpenAPI name the server that serves them; a shell runs the guide's commands with real
// curl.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { requestRoot } from '../../../server/http/incoming/base-url.js';
import type { Running } from '../../../server/process/start.js';
import { shownCommands } from '../../derive/guide/shell.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { hasProgram } from '../../support/processes/programs.js';
import { send, sendJson, sendRaw, serving, useServer } from '../../support/wire/server.js';

interface Document {
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly 'x-readings': Readonly<Record<string, string>>;
}

const GUIDE = '/_fake/v1/guide';
const documentAt = async (url: string, headers = {}) => (await send(url, { headers })).json as Document;
const serversAt = async (url: string, headers = {}) => (await documentAt(url, headers)).servers.map(one => one.url);

/** Runs a line as if pasted into a shell, in an empty home. */
async function pasted(line: string, home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, CURL_HOME: home, NO_PROXY: '*' };
  const child = spawn('sh', ['-c', line], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return out;
}

/** Resets as the guide says, and sends everything it shows from top to bottom. */
async function workThrough(page: string, home: string): Promise<void> {
  const [, reset = ''] = /```sh\n(curl -X POST [^\n]*\/reset\S*)\n/.exec(page) ?? [];
  expect(await pasted(`${reset} -i`, home)).to.match(/^HTTP\/1\.1 204 /);
  const shown = shownCommands(page);
  expect(shown.length).to.equal(page.match(/^Response /gm)?.length);
  for (const { line, status, body } of shown) {
    const [head = '', answered = ''] = (await pasted(line, home)).split('\r\n\r\n');
    expect(head, line).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (body === undefined) expect(answered, line).to.equal('');
    else expect(JSON.parse(answered), line).to.deep.equal(JSON.parse(body));
  }
}

describe('the documents of a server', () => {
  let server: Running;
  let home: Scratch;
  before(async () => {
    server = await serving();
    home = scratch({});
  });
  after(async () => {
    await server.stop();
    home.drop();
  });
  const port = () => new URL(server.url).port;

  it('include a guide of a sandbox whose commands work there when pasted, and leave others alone', async function () {
    if (!hasProgram('curl', 'curl')) this.skip();
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'job-7' });
    const world = async () => (await send(`${server.url}/_fake/v1/sandboxes/default/world`)).text;
    const before = await world();
    const page = (await send(`${server.url}/~job-7${GUIDE}`)).text;
    expect(page).to.contain(`'${server.url}/~job-7/rest/cwx-ppf/latest/push'`);
    await workThrough(page, home.path);
    expect(await world()).to.equal(before);
    expect((await send(`${server.url}${GUIDE}`, { headers: { 'X-Fake-Sandbox': 'job-7' } })).text).to.equal(page);
  });

  it('name the address they were requested at', async () => {
    for (const root of [server.url, `http://localhost:${port()}`]) {
      expect(await serversAt(`${root}/_fake/v1/openapi.json`)).to.deep.equal([
        root,
        `${root}/{context}`,
        `${root}/~{sandbox}`,
      ]);
      expect(await serversAt(`${root}/_fake/v1/control-openapi.json`)).to.deep.equal([`${root}/_fake/v1`]);
      expect((await send(`${root}${GUIDE}`)).text).to.contain(`'${root}/rest/cwx-ppf/latest/push'`);
    }
  });

  it('include the OpenAPI of a sandbox, which names that sandbox and its readings', async () => {
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'read', readings: { 'unknown-user': '400' } });
    const below = `${server.url}/~read`;
    const document = await documentAt(`${below}/_fake/v1/openapi.json`);
    expect(document.servers.map(({ url }) => url)).to.deep.equal([
      below,
      `${below}/{context}`,
      `${server.url}/~{sandbox}`,
    ]);
    expect(document['x-readings']['unknown-user']).to.equal('400');
    const byHeader = await documentAt(`${server.url}/_fake/v1/openapi.json`, { 'X-Fake-Sandbox': 'read' });
    expect(byHeader).to.deep.equal(document);
    const other = await documentAt(`${server.url}/~there-is-none/_fake/v1/openapi.json`);
    expect(other['x-readings']['unknown-user']).to.equal('404');
  });
});

describe('the guide of a server that allows any host', () => {
  const server = useServer('small-team', { 'allow-host': ['any'] });
  const asked = (host: string) => sendRaw(server.url, `GET ${GUIDE} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);

  const hostile = [
    "x';touch$IFS'pwned';'",
    '$(touch pwned)',
    '`touch pwned`',
    'x"&touch pwned&"',
    '<script>alert(1)</script>',
    '{a,b}',
    '[::1',
    'x:80:80',
    '',
  ];
  it('does not repeat a host that no URL can have, so that its commands are those of the server', async () => {
    const own = shownCommands(await asked('Host: localhost\r\n')).map(({ line }) => line);
    for (const host of hostile) {
      const response = await asked(`Host: ${host}\r\n`);
      expect(response, host).to.match(/^HTTP\/1\.1 200 /);
      const lines = shownCommands(response).map(({ line }) => line);
      expect(lines, host).to.deep.equal(own.map(line => line.replaceAll('http://localhost', server.url)));
    }
  });

  it('repeats a plain host', async () => {
    for (const host of ['fake.test', 'my_fake:80', 'FAKE.test:1234', '[2001:db8::7]:81', '10.0.0.1'])
      expect(await asked(`Host: ${host}\r\n`)).to.contain(`'http://${host}/rest/cwx-ppf/latest/push'`);
  });
});

describe('the requested root', () => {
  const rootOf = (host: string | undefined, socket: object) =>
    requestRoot({ headers: { ...(host !== undefined && { host }) }, socket: socket as IncomingMessage['socket'] }); // all that it looks at
  it('is https over TLS', () => {
    expect(rootOf('fake.test:8443', { encrypted: true })).to.equal('https://fake.test:8443');
    expect(rootOf("'", { encrypted: true, localAddress: '::ffff:10.0.0.1', localPort: 8443 })).to.equal(
      'https://10.0.0.1:8443',
    );
  });

  it('is the address of the connection without a plain host, and the default without either', () => {
    expect(rootOf(undefined, { localAddress: '2001:db8::7', localPort: 81 })).to.equal('http://[2001:db8::7]:81');
    expect(rootOf(`${'a'.repeat(300)}`, { localAddress: '127.0.0.1', localPort: 81 })).to.equal('http://127.0.0.1:81');
    expect(rootOf('$x', {})).to.equal('http://127.0.0.1:8080');
  });
});
