// A server killed during a reload or a large response: the next one starts normally, and a truncated file is refused.
import { connect } from 'node:net';
import { expect } from 'chai';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { endAll, type Launched, launch, run } from '../../support/processes/command-line.js';
import { send, sendJson } from '../../support/wire/server.js';

const FIRST = { title: 'A story', fixture: 'small-team', world: { spaces: { ds: { name: 'First' } } } };
/** More bytes than socket buffers take while the client does not read. */
const LARGE = 15_000_000;

describe('a killed server', function () {
  this.timeout(120_000);
  let folder: Scratch;
  before(built);
  beforeEach(() => {
    folder = scratch({ 'scenarios/story.yaml': JSON.stringify(FIRST), 'fixtures/.keep': '' });
  });
  afterEach(() => folder.drop());
  after(endAll);

  const play = (file: string) => run(['play', file], { cwd: folder.path });

  it('leaves a whole scenario to the next one if it dies during a reload', async () => {
    const name = async ({ url }: Launched) =>
      ((await send(`${url}/_fake/v1/sandboxes/default/world`)).json as WorldForm).spaces.ds?.name;
    for (let round = 0; round < 4; round++) {
      const server = await launch(['story', '--watch'], { cwd: folder.path });
      expect(await name(server)).to.equal(round === 0 ? 'First' : `Round ${round - 1}`);
      folder.replace(
        'scenarios/story.yaml',
        JSON.stringify({ ...FIRST, world: { spaces: { ds: { name: `Round ${round}` } } } }),
      );
      await new Promise(resolve => setTimeout(resolve, 60 + Math.random() * 80)); // about when it loads
      expect((await server.signal('SIGKILL')).code).to.equal(null);
    }
  });

  it('leaves a capsule that is refused if it dies while sending a large one', async () => {
    const server = await launch(['small-team', '--journal', '10000'], { cwd: folder.path });
    const oldText = 'x'.repeat(500_000);
    for (let size = 0; size < LARGE; size += oldText.length)
      await sendJson(
        `${server.url}/~large/rest/cwxapiextension/latest/spaces/replaceInPage?spaceKey=ds&pageTitle=Welcome`,
        'POST',
        [{ oldText, newText: 'y' }],
      );
    const part = await begunWith(server, '/_fake/v1/sandboxes/large/capsule');
    expect(part.status).to.equal('HTTP/1.1 200 OK');
    expect(part.isWhole).to.equal(false);
    expect(part.body).to.match(/^\{/);
    folder.write('part.json', part.body);
    const { code, stdout, stderr } = await play('part.json');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.equal('cwx-fake play: part.json: Invalid JSON: the file is cut off.\n');
    const next = await launch([], { cwd: folder.path });
    expect((await send(`${next.url}/_fake/v1/sandboxes`)).json)
      .to.have.property('sandboxes')
      .that.has.lengthOf(1);
    expect((await next.signal('SIGTERM')).code).to.equal(0);
  });
});

/** The head of a response and the part of its body received when the server is killed after the first chunk. */
function begunWith(server: Launched, path: string): Promise<{ status: string; isWhole: boolean; body: string }> {
  const { hostname, port, host } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    socket.once('data', () => {
      socket.pause();
      void server.signal('SIGKILL').then(() => socket.resume());
    });
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', error => (chunks.length === 0 ? reject(error) : undefined)); // the server was killed: `close` follows
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      resolve({ status: text.slice(0, text.indexOf('\r\n')), ...unchunked(text.slice(end + 4)) });
    });
  });
}

/** The content of the chunks; the last one may be truncated. */
function unchunked(text: string): { isWhole: boolean; body: string } {
  let body = '';
  for (let rest = text; ; ) {
    const [line = '', size] = /^([0-9a-f]+)\r\n/.exec(rest) ?? [];
    if (size === undefined || size === '0') return { isWhole: size === '0', body };
    const length = Number.parseInt(size, 16);
    body += rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + 2);
  }
}
