// `cwx-fake proxy`: what it forwards unchanged, what it reports on each exchange and on the readings, and how it answers for
// failing targets.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { scratch } from '../../support/files/scratch.js';
import { begin, printedBy, run } from '../../support/processes/commands.js';
import { selfSigned } from '../../support/wire/certificates.js';
import { useClosing } from '../../support/wire/closing.js';
import { basic, listening, sendJson, serving } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

describe('cwx-fake proxy', () => {
  const closing = useClosing();
  const { upstream } = closing;
  /** A server that reads each request and sends this response. */
  const responding = (response: () => { status: number; body: string | Buffer; headers?: object }) =>
    upstream((req, res) => {
      const { status, body, headers } = response();
      const sent = () => res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      req.resume().on('end', sent);
    });
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

  it('reports statuses and fields as violations only where the document gives them', async () => {
    let sent = { status: 400, body: '{"messages":[]}' };
    const { url, stop, said } = await proxying(await responding(() => sent));
    const push = (body: object) => sendJson(`${url}/rest/cwx-ppf/latest/push`, 'POST', body);
    await push({ users: ['alice'], filters: [10500] }); // the document has no status for a filter that does not exist
    sent = { status: 200, body: '{"success":true,"messages":[],"timestamp":1}' };
    await push({ users: ['alice'], filters: [10500] });
    expect(said()).not.to.contain('violates');
    sent = { status: 200, body: '{"success":true,"mesages":[]}' };
    await push({ users: ['alice'], filters: [10500] });
    sent = { status: 404, body: '{"messages":[]}' };
    await push({ filters: [10500] });
    await stop();
    expect(said())
      .to.match(/violates the document: reply at \/mesages: .*\(ppf\.processed-is-200\)\.\n/)
      .and.to.match(/violates the document: status: the exchange has 404, .*\(ppf\.invalid-is-400\)\.\n/);
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

  it('infers the readings, and journals each exchange without secrets, for a scenario that can be recorded and played', async () => {
    const fake = await fakeWith('unknown-user=skip', 'wiki-success=messages', 'no-change=409');
    const { url, stop, said } = await proxying(fake.url);
    const add = (users: unknown) =>
      sendJson(`${url}${ADD}?os_password=geheim`, 'POST', { group: 'customers', users }, 'admin');
    await add(['alice']);
    await add(['alice']);
    await add(['bob']);
    await add('bob');
    const member = '/rest/api/group/customers/member';
    await fetch(url + member, { headers: { Authorization: basic('admin', 'admin') } });
    await fetch(`${url}/elsewhere`);
    const journal = await run(['journal', '--url', url]);
    expect(journal.code, journal.stderr).to.equal(0);
    const lines = journal.stdout.split('\n');
    expect(lines[0]).to.match(
      /^#1 \S+ admin POST \/rest\S+os_password=hidden 200 · groups\.add-users · forwarded to http:\S+ · agrees with: wiki-prefix=any\|rest, unknown-parameter=ignore, wiki-success=messages$/,
    );
    expect(lines[3], 'a bad request that is refused').to.match(/ 400 /).and.not.to.contain('violates the document');
    expect(lines[5]).to.match(/^#6 \S+ - GET \/elsewhere 404 · no operation · .*forwarded to /);
    expect(journal.stdout).not.to.contain('geheim');
    const filtered = await run(['journal', '--url', url, '--json', 'status=409']);
    expect((JSON.parse(filtered.stdout) as { entries: unknown[] }).entries).to.have.lengthOf(2);

    const { recorded, played } = await replayed(url);
    expect(recorded).to.contain(member);
    expect(recorded).to.match(
      /^readings:\n {2}wiki-success: messages\n {2}unknown-user: skip\n {2}no-change: "409"\n/m,
    );
    expect(played).to.match(/\n✔ 1 scenario, 6 steps \S+, 0 failed, 0 skipped\n$/);
    const { code, stdout } = await stop();
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^# Readings inferred from the responses of http:\S+, for \d+ of \d+ gaps\.\n/)
      .and.to.match(/^no-change: "409" # \d responses?$/m);
    expect(said())
      .to.contain('· groups.add-users · agrees with: wiki-prefix=any|rest, unknown-parameter=ignore, wiki-success=')
      .and.to.match(/GET \/elsewhere 404 \d+ ms · no operation\n/)
      .and.not.to.contain('violates the document')
      .and.not.to.contain('geheim')
      .and.not.to.contain(basic('admin', 'admin'));
    expect((await fake.session.sandboxes.find('default'))?.journal.size).to.equal(6); // no further request reached the target
  });

  it('answers 504 for a silent target, then exits with 4', async () => {
    const silent = await proxying(await upstream(() => {}), '--timeout', '1');
    const late = await fetch(`${silent.url}/x`);
    expect(late.status).to.equal(504);
    expect(((await late.json()) as { detail: string }).detail).to.match(/did not respond within 1 s\.$/);
    expect(await silent.stop()).to.deep.include({ code: 4 });
  });

  it('forwards over HTTPS, and refuses untrusted certificates unless told otherwise', async () => {
    const folder = scratch();
    closing.push(() => folder.drop());
    const { key, certificate } = selfSigned(folder.path);
    const files = { key: readFileSync(key), cert: readFileSync(certificate) };
    const secure = createSecure(files, (_, res) => res.end('secure'));
    closing.push(() => secure.close());
    const target = (await listening(secure)).replace('http', 'https');
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
