// The server's log for its operator: start, stop and errors with the id of their request.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { built, cli } from '../../support/processes/built.js';
import { endAll, LENIENT, launch } from '../../support/processes/command-line.js';
import { hasByChance } from '../../support/processes/programs.js';
import { send } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

describe('the log of cwx-fake serve', () => {
  before(built);
  after(endAll);

  it('logs start, stop with its reason, and each request as JSON', async () => {
    const server = await launch(['--log', 'json']);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await send(`${server.url}/nowhere?os_password=geheim`, { headers: { traceparent } });
    const { code, stderr } = await server.signal('SIGTERM');
    expect(code).to.equal(0);
    const lines = stderr.split('\n').slice(0, -1);
    const said = lines.map(line => JSON.parse(line) as Record<string, unknown>); // the fields pino adds
    expect(said.map(({ time: _, ms: __, ...rest }) => rest)).to.deep.equal([
      { level: 30, msg: 'started', url: server.url, scenario: 'small-team', profile: 'lenient', wikiAuth: 'open' },
      {
        level: 30,
        msg: 'request',
        sandbox: 'default',
        method: 'GET',
        url: '/nowhere?os_password=hidden',
        status: 404,
        traceparent,
        refused: 'bad-address',
        rules: ['address.extension-path'],
        gaps: { 'wiki-error-body': 'confluence', 'error-text': 'detailed' },
      },
      { level: 30, msg: 'stopped', signal: 'SIGTERM' },
    ]);
  });

  it('neither ends nor delays the server if the disk of its file is full', async function () {
    if (!hasByChance(existsSync('/dev/full'), 'there is no /dev/full')) this.skip();
    const server = await launch(['--log', 'json', '--host', '0.0.0.0'], { shell: 'exec 2>/dev/full' });
    for (let i = 0; i < 20; i += 1) expect((await send(`${server.url}/nowhere`)).status).to.equal(404);
    expect((await server.signal('SIGTERM')).code).to.equal(0);
  });

  it('drops lines that nobody reads, and says how many once somebody does', async () => {
    const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--log', 'json']);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:\/\/\S+/.exec(String(line))?.[0] ?? '';
    const path = `/${'x'.repeat(8_000)}`;
    for (let i = 0; i < 300; i += 1) expect((await send(url + path)).status).to.equal(404); // more than the pipe and the server hold
    let text = '';
    let later = 0;
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    await until(async () => {
      await send(`${url}/later`);
      later += 1;
      return text.includes('"dropped":');
    });
    const dropped = Number(/"dropped":(\d+)/.exec(text)?.[1]);
    expect(dropped + (text.match(/"url":"\/xxx/g)?.length ?? 0)).to.be.within(300, 300 + later); // a later one may be dropped too
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).to.equal(0);
  });

  it('ends the event streams at shutdown, and logs nothing about it in text', async () => {
    const server = await launch();
    const response = await fetch(`${server.url}/_fake/v1/sandboxes/default/events`);
    const ended = server.signal('SIGTERM');
    expect(await response.text()).to.match(/^retry: 2000\nid: \S+\n\n$/);
    expect(await ended).to.deep.include({ code: 0, stderr: LENIENT });
  });
});
