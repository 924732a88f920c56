// The curl command of a request, run by a shell: the same request arrives, and secrets stay hidden.
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { curlOf, quotedIfDue, shellQuoted, withoutSecret } from '../../../server/derive/sending/curl.js';

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

describe('the curl command of a request', () => {
  let arrived: Arrived | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method, url, headers } = request;
    arrived = { method, url, headers, body: Buffer.concat(chunks) };
    response.end();
  });
  let base = '';
  before(done => {
    server.listen(0, '127.0.0.1', () => {
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, so it is not a pipe
      done();
    });
  });
  after(() => server.close());

  const sent = (request: HttpRequest) =>
    new Promise<Arrived>((resolve, reject) => {
      arrived = undefined;
      execFile('bash', ['-c', curlOf(request, base)], (error, _, stderr) => {
        if (arrived === undefined) reject(error ?? new Error(stderr));
        else resolve(arrived);
      });
    });

  it('sends any body, text or bytes', async () => {
    for (const body of [
      '{"users":["alice"]}',
      `it's "quoted" \\ $HOME \`id\` %s`,
      '@/etc/passwd',
      'two\nlines\r\nand a tab\t',
      '\u001b[31m \u202e ’ 日本 \u009b7',
      "\u0001 it's \\ 7",
      '',
      new Uint8Array([0, 255, 37, 92, 39, 10, 49]),
    ]) {
      const { method, body: received, headers } = await sent({ method: 'POST', path: '/x', headers: {}, body });
      expect(method).to.equal('POST');
      expect([...received]).to.deep.equal([...Buffer.from(body)]);
      expect(headers, 'no type that nobody gave').to.not.have.property('content-type');
    }
    expect((await sent({ method: 'HEAD', path: '/x', headers: {} })).method).to.equal('HEAD');
  });

  it('sends path, query, headers and credentials as they are', async () => {
    const headers = {
      Authorization: `Basic ${Buffer.from("it's:pass word$").toString('base64')}`,
      'Content-Type': 'text/plain',
      'X-Empty': '',
      'X-Odd': `a"b'c`,
    };
    const path = '/a/../b/%2F?q=[1-3]&r={x,y}&s=$HOME';
    const { url, headers: received, method } = await sent({ method: 'DELETE', path, headers });
    expect({ method, url }).to.deep.equal({ method: 'DELETE', url: path });
    for (const [name, value] of Object.entries(headers)) expect(received[name.toLowerCase()]).to.equal(value);
  });

  it('names the user and, if the password is hidden, a placeholder', () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const shown = (Authorization: string) =>
      curlOf({ method: 'GET', path: '/', headers: { Authorization } }, 'http://h', 'hidden').split('\n')[1];
    expect(shown(basic('admin:secret'))).to.equal('  -u admin');
    expect(shown('Bearer secret')).to.equal('  -H "Authorization: $AUTHORIZATION"');
    expect(shown('Basic !!')).to.equal('  -H "Authorization: $AUTHORIZATION"');
    expect(withoutSecret(basic('admin:secret'))).to.equal('Basic admin:…');
    expect(withoutSecret('Bearer secret')).to.equal('Bearer …');
    expect(withoutSecret('Basic !!')).to.equal('Basic …');
  });

  it('leaves out a body that no operation reads', () => {
    const command = curlOf({ method: 'POST', path: '/', headers: {}, body: 'x'.repeat(8001) }, 'http://h');
    expect(command).to.match(/--data-binary @body # put its 8001 bytes into a file$/);
  });

  it('quotes only what a shell would interpret, if asked to', () => {
    expect(shellQuoted('a')).to.equal("'a'");
    expect(['a/b.yaml', 'a b'].map(quotedIfDue)).to.deep.equal(['a/b.yaml', "'a b'"]);
  });
});
