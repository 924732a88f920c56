// Servers whose Redis is away, full or read-only: clients get an error in the form of their API, and service resumes by itself.
import { expect } from 'chai';
import { built } from '../../support/processes/built.js';
import { beginning, endAll, run } from '../../support/processes/command-line.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { ADD, Replica, Replicas } from '../../support/redis/replicas.js';
import { listen } from '../../support/wire/event-reader.js';
import { freePort } from '../../support/wire/ports.js';
import { send, sendJson } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('replicas whose Redis fails', () => {
  let replicas: Replicas;
  before(async () => {
    replicas = await Replicas.begin(2);
  });
  after(() => replicas.end());

  /** Responses of each family and of the control API to changes. */
  const changes = () => {
    const [first, second] = replicas.all;
    const push = { users: ['alice'], filters: [10500] };
    return Promise.all([
      first.add('kept', 'admin'),
      sendJson(`${second.url}/~kept/rest/cwx-ppf/latest/push`, 'POST', push, 'admin'),
      second.control('POST', '/sandboxes', { name: 'new' }),
      second.control('POST', '/sandboxes/kept/reset'),
    ]);
  };
  const health = async ({ url }: Replica) => {
    const { status, json } = await send(`${url}/_fake/health`);
    return { code: status, ...(json as { status: string; store: string; trouble?: string }) };
  };
  const recovered = async () => {
    for (const replica of replicas.all) await until(async () => (await health(replica)).code === 200);
  };

  const failures = [
    {
      title: 'is away',
      status: 503,
      begin: () => replicas.engine.kill9(),
      end: () => replicas.engine.restart(),
      words: /cannot be reached|closed the connection/,
      reads: 503,
    },
    {
      title: 'is full',
      status: 507,
      begin: () => replicas.engine.cli('config', 'set', 'maxmemory', '1mb'), // it uses more than that by itself
      end: () => replicas.engine.cli('config', 'set', 'maxmemory', '0'),
      words: /has no memory left \(maxmemory\)/,
      reads: 200,
    },
    {
      title: 'has become a replica',
      status: 503,
      begin: () => replicas.engine.cli('replicaof', '127.0.0.1', '1'),
      end: () => replicas.engine.cli('replicaof', 'no', 'one'),
      words: /is a read-only replica: give the address of its master/,
      reads: 503,
    },
  ];
  for (const { title, status, begin, end, words, reads } of failures)
    it(`that ${title} answer ${status} in the form of each API, say so in health, lose nothing, and go on by themselves`, async () => {
      const [first, second] = replicas.all;
      await first.control('PUT', '/sandboxes/kept', {});
      await second.add('kept', 'carol');
      const one = await listen(`${second.url}/_fake/v1/sandboxes/kept/events`);
      await until(() => one.lastId !== '');
      await begin();
      await until(async () => (await first.add('kept', 'alice')).status === status);
      const responses = await changes();
      expect(responses.map(response => response.status)).to.deep.equal(responses.map(() => status));
      const where = `Redis at 127.0.0.1:${replicas.engine.port}`;
      for (const { headers, text } of responses) {
        if (title !== 'has become a replica') expect(headers.get('retry-after')).to.equal('1');
        expect(text).to.include(where).and.to.match(words);
      }
      const [wiki, favourites, created] = responses;
      expect(wiki.json).to.include({ statusCode: status });
      expect(favourites.json).to.have.nested.property('errorMessages[0]').that.includes(where);
      expect(created.headers.get('content-type')).to.equal('application/problem+json');
      expect((await first.control('GET', '/sandboxes/kept/world')).status).to.equal(reads);
      await until(async () => words.test((await health(second)).trouble ?? ''));
      expect(await health(second)).to.include({ code: 503, status: 'waiting', store: replicas.engine.url });
      await end();
      await recovered();
      expect(await second.customers('kept')).to.deep.equal(['carol']);
      expect((await first.control('GET', '/sandboxes/new')).status).to.equal(404);
      expect((await first.add('kept', 'demouser1')).headers.get('x-request-id')).to.equal('kept.2');
      expect((await one.count(2)).map(({ type }) => type)).to.deep.equal(['changed', 'entry']);
      one.leave();
    });

  it('that comes back empty begin again', async () => {
    const [first, second] = replicas.all;
    await first.add('lost', 'alice');
    await second.customers('lost');
    await replicas.engine.cli('flushall');
    expect((await second.add('lost', 'carol')).headers.get('x-request-id')).to.equal('lost.1');
    expect(await first.customers('lost')).to.deep.equal(['carol']);
    expect((await second.add('default', 'carol')).status).to.equal(200);
  });
});

withRedis('a server that starts on a Redis', () => {
  let engine: RedisServer;
  before(async () => {
    await built();
    engine = await RedisServer.start({ password: 'right' });
  });
  after(async () => {
    endAll();
    await engine.stop();
  });

  it('waits for one that is away, reports it, and is ready when it serves and not before', async () => {
    await engine.kill9();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const server = beginning(['serve', '--port', String(port), '--store', engine.url]);
    await server.says(/waiting for the store[\s\S]*cannot be reached/);
    const { status, json } = await send(`${url}/_fake/health`);
    expect(status).to.equal(503);
    expect(json).to.include({ status: 'waiting', store: engine.url.replace(':right@', ''), scenario: 'small-team' });
    const early = sendJson(`${url}${ADD}`, 'POST', { group: 'customers', users: ['alice'] });
    expect(server.stdout()).to.equal('');
    await engine.restart();
    expect((await early).status).to.be.oneOf([200, 503]);
    await until(() => server.stdout() !== '');
    expect(server.stdout()).to.equal(`cwx-fake listening on ${url} (scenario small-team)\n`);
    expect((await new Replica({ url }).add('a', 'alice')).status).to.equal(200);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).to.equal(0);
  });

  it('gives up on one that stays away (exit code 4)', async () => {
    const { code, stdout, stderr } = await run([
      'serve',
      '--port',
      '0',
      '--store',
      'redis://127.0.0.1:1',
      '--store-timeout',
      '1',
    ]);
    expect(stdout).to.equal('');
    expect(stderr).to.match(
      /the store redis:\/\/127.0.0.1:1 was still unavailable after 1 s: Redis at 127.0.0.1:1 cannot be reached/,
    );
    expect(code).to.equal(4);
  });
});
