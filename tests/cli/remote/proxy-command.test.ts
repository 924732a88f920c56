// `cwx-fake proxy`: what it forwards unchanged, what it reports on each exchange and on the readings, and how it answers for
// failing targets.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { scratch } from '../../support/files/scratch.js';
import { begin, printedBy, run } from '../../support/processes/commands.js';
import { selfSigned } from '../../support/wire/certificates.js';
import { basic, listening, sendJson, serving } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

describe('cwx-fake proxy', () => {
  const closing: Array<() => unknown> = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const upstream = (listener: RequestListener) => urlOf(createServer(listener), 'http');
  /** A server that reads each request and sends this response. */
  const responding = (response: () => { status: number; body: string | Buffer; headers?: object }) =>
    upstream((req, res) => {
      const { status, body, headers } = response();
      const sent = () => res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      req.resume().on('end', sent);
    });
  const urlOf = async (server: Server, protocol: string) => {
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (await listening(server)).replace('http', protocol);
  };
  const proxying = async (target: string, ...flags: string[]) => {
    const { signals, stderr, ended } = begin(['proxy', '--target', target, '--port', '0', ...flags]);
    await stderr.says(/listening on (\S+)/);
    const url = /listening on (\S+)/.exec(stderr.text)?.[1] ?? '';
    let end: typeof ended | undefined;
    const stop = () => {
      if (end === undefined) signals.emit('SIGINT', 'SIGINT');
      end ??= ended;
      return end;
    };
    closing.push(stop);
    return { url, stop, stderr, said: () => stderr.text };
  };

  const fakeWith = async (...reading: string[]) => {
    const fake = await serving('small-team', { reading });
    closing.push(() => fake.stop());
    return fake;
  };
  /** What is recorded from a proxy, and what is printed when it is played. */
  const replayed = async (url: string) => {
    const recorded = await printedBy(run(['record', '--url', url]));
    const folder = scratch({ 'seen.yaml': recorded });
    closing.push(() => folder.drop());
    return { recorded, played: (await run(['play', join(folder.path, 'seen.yaml')])).stdout };
  };

  it('infers the readings of a server from its traffic, and reports violations of the document', async () => {
    const fake = await fakeWith('unknown-user=400', 'wiki-success=empty', 'no-change=409');
    const { url, stop, said } = await proxying(fake.url);
    const add = (body: object) => sendJson(`${url}${ADD}?os_password=geheim`, 'POST', body, 'admin');
    expect((await add({ group: 'customers', users: ['alice'] })).headers.get('x-fake-operation')).to.equal(
      'groups.add-users',
    );
    expect((await add({ group: 'customers', users: ['alice'] })).status).to.equal(409);
    await add({ group: 'customers', users: 'alice' });
    await fetch(`${url}/elsewhere`);
    const { code, stdout } = await stop();
    expect(code).to.equal(0);
    expect(stdout).to.match(/^# Readings inferred from the responses of http:\S+, for 4 of \d+ gaps\.\n/);
    expect(stdout).to.match(/^wiki-success: empty # 1 response$/m);
    expect(stdout).to.match(/^no-change: "409" # 1 response$/m);
    expect(said())
      .to.contain('200')
      .and.to.contain(
        '· groups.add-users · agrees with: wiki-prefix=any|rest, unknown-parameter=ignore, wiki-success=empty\n',
      );
    expect(said(), 'a bad request that is refused').not.to.contain('violates the document');
    expect(said()).to.match(/GET \/elsewhere 404 \d+ ms · no operation\n/);
    expect(said()).not.to.contain('geheim').and.not.to.contain(basic('admin', 'admin'));
  });

  it('is another server for play, which asks before it changes the target', async () => {
    let requests = 0;
    const { url } = await proxying(
      await responding(() => {
        requests += 1;
        return { status: 200, body: '{}' };
      }),
    );
    const { code, stderr } = await run(['play', 'first-steps', '--target', url]);
    expect(code).to.equal(2);
    expect(stderr).to.contain('--yes');
    expect(requests).to.equal(0);
  });

  it('refuses to change a world that it does not have, but clears its journal', async () => {
    const { url } = await proxying(await responding(() => ({ status: 200, body: '{}' })));
    for (const words of [
      ['faults', 'add', 'ppf.push', 'status=503'],
      ['readings', 'set', 'unknown-user=400'],
      ['create'],
    ]) {
      const { code, stderr } = await run([...words, '--url', url]);
      expect(code, words.join(' ')).to.equal(2);
      expect(stderr).to.contain('Not possible on a proxy');
    }
    expect((await run(['journal', 'clear', '--url', url])).code).to.equal(0);
  });

  it('reports a status as a violation only where the document gives one', async () => {
    let status = 400;
    const { url, stop, said } = await proxying(await responding(() => ({ status, body: '{"messages":[]}' })));
    const push = (body: object) => sendJson(`${url}/rest/cwx-ppf/latest/push`, 'POST', body);
    await push({ users: ['alice'], filters: [10500] }); // the document has no status for a filter that does not exist
    expect(said()).not.to.contain('violates');
    status = 404;
    await push({ filters: [10500] });
    await stop();
    expect(said()).to.match(/violates the document: status: the exchange has 404, .*\(ppf\.invalid-is-400\)\.\n/);
  });

  it('does not report fields that the document does not show as violations, but misspelt ones', async () => {
    let body = '{"success":true,"messages":[],"timestamp":1}';
    const { url, stop, said } = await proxying(await responding(() => ({ status: 200, body })));
    const push = () => sendJson(`${url}/rest/cwx-ppf/latest/push`, 'POST', { users: ['alice'], filters: [10500] });
    await push();
    expect(said()).not.to.contain('violates');
    body = '{"success":true,"mesages":[]}';
    await push();
    await stop();
    expect(said()).to.match(/violates the document: reply at \/mesages: .*\(ppf\.processed-is-200\)\.\n/);
  });

  it('reports each exchange as JSON, compressed responses included', async () => {
    const zipped = { status: 200, body: gzipSync('{}'), headers: { 'content-encoding': 'gzip' } };
    const { url, stop, said } = await proxying(await responding(() => zipped), '--json');
    await sendJson(url + ADD, 'POST', { group: 'a', users: ['b'] });
    await stop();
    const [, line = ''] = said().split('\n');
    expect(JSON.parse(line)).to.deep.include({
      method: 'POST',
      url: ADD,
      status: 200,
      operation: 'groups.add-users',
      violations: [],
      readings: {
        'wiki-prefix': { agrees: ['any', 'rest'], excludes: ['rest-api', 'bare'] },
        'wiki-success': { agrees: ['object'], excludes: ['empty', 'no-content', 'messages'] },
      },
    });
  });

  it('records reads of the REST APIs of Confluence and Jira, with the caller', async () => {
    const fake = await fakeWith();
    const { url } = await proxying(fake.url);
    const asked = [
      '/rest/api/group/customers/member',
      '/rest/api/user?username=alice',
      '/rest/api/content/65601',
      '/rest/api/group/nowhere/member',
      '/rest/api/2/filter/10500',
    ];
    for (const path of asked) await fetch(`${url}${path}`, { headers: { Authorization: basic('admin', 'admin') } });
    await sendJson(url + ADD, 'POST', { group: 'customers', users: ['bob'] }, 'admin');
    const { recorded, played } = await replayed(url);
    for (const path of asked) expect(recorded).to.contain(path.split('?')[0]);
    expect(recorded.match(/as: admin/g)).to.have.lengthOf(asked.length + 1);
    expect(played).to.contain(`${asked.length + 1} steps passed, 0 failed`);
  });

  it('records every step of callers who are refused in different ways, and the reading that explains all of them', async () => {
    const fake = await fakeWith('wiki-auth=admin', 'view-post=add');
    const { url } = await proxying(fake.url);
    const statuses: number[] = [];
    for (const caller of [undefined, 'carol', 'admin'])
      statuses.push((await sendJson(`${url}${ADD}`, 'POST', { group: 'customers', users: ['alice'] }, caller)).status);
    const view = '/rest/cwxapiextension/latest/permissions/view/65601';
    statuses.push((await sendJson(`${url}${view}`, 'POST', { users: ['alice'], groups: [] }, 'admin')).status);
    expect(statuses).to.deep.equal([401, 403, 200, 200]);
    const { recorded, played } = await replayed(url);
    expect(recorded).to.contain('wiki-auth: admin').and.to.contain('view-post: add');
    expect(played).to.match(/4 steps passed, 0 failed/);
  });

  it('journals each exchange without secrets, for a scenario that can be recorded and played', async () => {
    const fake = await fakeWith('unknown-user=skip', 'wiki-success=messages', 'no-change=409');
    const { url, stop } = await proxying(fake.url);
    const add = (users: unknown) =>
      sendJson(`${url}${ADD}?os_password=geheim`, 'POST', { group: 'customers', users }, 'admin');
    await add(['alice']);
    await add(['alice']);
    await add(['bob']);
    await add('bob');
    await fetch(`${url}/elsewhere`);
    const journal = await run(['journal', '--url', url]);
    expect(journal.code, journal.stderr).to.equal(0);
    const lines = journal.stdout.split('\n');
    expect(lines[0]).to.match(
      /^#1 \S+ admin POST \/rest\S+os_password=hidden 200 · groups\.add-users · forwarded to http:\S+ · agrees with: wiki-prefix=any\|rest, unknown-parameter=ignore, wiki-success=messages$/,
    );
    expect(lines[3], 'a bad request that is refused').to.match(/ 400 /).and.not.to.contain('violates the document');
    expect(lines[4]).to.match(/^#5 \S+ - GET \/elsewhere 404 · no operation · .*forwarded to /);
    expect(journal.stdout).not.to.contain('geheim');
    const filtered = await run(['journal', '--url', url, '--json', 'status=409']);
    expect((JSON.parse(filtered.stdout) as { entries: unknown[] }).entries).to.have.lengthOf(2);

    const { recorded, played } = await replayed(url);
    expect(recorded).to.match(
      /^readings:\n {2}wiki-success: messages\n {2}unknown-user: skip\n {2}no-change: "409"\n/m,
    );
    expect(played).to.match(/\n✔ 1 scenario, 5 steps \S+, 0 failed, 0 skipped\n$/);
    expect((await stop()).code).to.equal(0);
    expect((await fake.session.find('default'))?.journal.size).to.equal(5); // no further request reached the target
  });

  it('forwards bodies byte for byte as they arrive, and headers except those of the connection', async () => {
    let seen: IncomingMessage | undefined;
    const target = await upstream((req, res) => {
      seen = req;
      const fields = 'Set-Cookie a=1 Set-Cookie b=2 X-Odd-Case kept Connection x-hop X-Hop gone';
      res.writeHead(207, 'Odd', fields.split(' '));
      req.pipe(res);
    });
    const { url } = await proxying(`${target}/base/`);
    const asking = request(`${url}/a/b?c=%20+d`, {
      method: 'POST',
      headers: {
        'Transfer-Encoding': 'chunked',
        Connection: 'x-private',
        'X-Private': 'no',
        'Proxy-Authorization': 'no',
        'X-Kept': 'yes',
      },
    });
    const first = randomBytes(70_000);
    asking.write(first);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    let got = Buffer.alloc(0);
    response.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
    });
    while (got.length < first.length) await once(response, 'data'); // arrives while the rest is being sent
    const rest = randomBytes(2_000_000);
    asking.end(rest);
    await once(response, 'end');
    expect(got.equals(Buffer.concat([first, rest]))).to.equal(true);
    expect(response).to.include({ statusCode: 207, statusMessage: 'Odd' });
    expect(response.headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
    expect(response.rawHeaders).to.include('X-Odd-Case').and.not.to.include('X-Hop');
    expect(seen?.url).to.equal('/base/a/b?c=%20+d');
    expect(seen?.headers).to.include({ 'x-kept': 'yes', host: new URL(target).host });
    expect(seen?.headers).to.not.have.any.keys('x-private', 'proxy-authorization');
  });

  it('answers 504 for a silent target, then exits with 4, and reports a response that the target aborts', async () => {
    const silent = await proxying(await upstream(() => {}), '--timeout', '1');
    const late = await fetch(`${silent.url}/x`);
    expect(late.status).to.equal(504);
    expect(((await late.json()) as { detail: string }).detail).to.match(/did not respond within 1 s\.$/);
    expect(await silent.stop()).to.deep.include({ code: 4 });

    const cut = await proxying(
      await upstream((_, res) => void res.writeHead(200, { 'content-length': 9 }).write('a', () => res.destroy())),
    );
    const broken = await fetch(`${cut.url}/x`);
    expect(await broken.text().catch(error => error)).to.be.an('error');
    await cut.stderr.says(/broke off its response/);
  });

  it('forwards over HTTPS, and refuses untrusted certificates unless told otherwise', async () => {
    const folder = scratch();
    closing.push(() => folder.drop());
    const { key, certificate } = selfSigned(folder.path);
    const files = { key: readFileSync(key), cert: readFileSync(certificate) };
    const target = await urlOf(
      createSecure(files, (_, res) => res.end('secure')),
      'https',
    );
    const strict = await proxying(target);
    expect(await (await fetch(`${strict.url}/`)).text()).to.match(/its certificate is not trusted .*--insecure/);
    const lenient = await proxying(target, '--insecure');
    expect(await (await fetch(`${lenient.url}/`)).text()).to.equal('secure');
  });

  it('refuses requests for any other host', async () => {
    const { url } = await proxying(await upstream((_, res) => res.end('reached')));
    const asking = request(url, { headers: { host: 'evil.test' } }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(421);
    response.resume();
  });
});
