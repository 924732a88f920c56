// A Redis that denies access: a replica, a wrong password, a user without rights, an untrusted certificate.
// The store reports it in words, and never with the password.

import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { Appender, contents, created, freshName, refused, Stores } from '../../support/redis/redis-stores.js';
import { selfSigned } from '../../support/wire/certificates.js';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';
import { until } from '../../support/worlds/until.js';
import { hearing } from '../suite.js';

const withRedis = hasRedis() ? describe : describe.skip;
const RIGHT = 'right-pass-8631';
const WRONG = 'wrong-pass-4077';

withRedis('a store that Redis denies access', () => {
  const stores = new Stores();
  let server: RedisServer;
  const said: string[] = [];
  const log = (line: string) => said.push(line);
  before(async () => {
    server = await RedisServer.start({ password: RIGHT });
  });
  beforeEach(() => said.splice(0));
  afterEach(() => stores.close());
  after(() => server.stop());

  const as = (credentials: string) => `redis://${credentials}127.0.0.1:${server.port}`;

  /** The errors of `ready` and of an operation. */
  async function messagesOf(url: string): Promise<readonly string[]> {
    const store = stores.make(url, { timeout: 3000, log });
    const errors = await Promise.all([
      refused(store.ready(), 'refused'),
      refused(store.create(freshName(), 'base'), 'refused'),
      refused(store.since(freshName()), 'refused'),
    ]);
    expect([store.name, store.trouble, ...said, ...errors.map(String)].join('\n'))
      .not.to.include(RIGHT)
      .and.not.to.include(WRONG);
    return [...errors.map(({ message }) => message), store.trouble ?? ''];
  }

  for (const [what, credentials] of [
    ['without a password', ''],
    ['with a wrong password', `:${WRONG}@`],
    ['as an unknown user', `nobody:${WRONG}@`],
  ] as const)
    it(`${what} reports it, without the password`, async () => {
      for (const message of await messagesOf(as(credentials))) expect(message).to.match(/password/);
    });

  it('with the right password works, and never shows it', async () => {
    const store = await stores.open(as(`:${RIGHT}@`), { log });
    await created(store);
    expect([store.name, ...said].join('\n')).not.to.include(RIGHT);
  });

  it('whose password is changed meanwhile works while it is connected, and reports why it cannot afterwards', async () => {
    const proxy = await TcpProxy.to(server.port);
    try {
      const store = await stores.open(`redis://:${RIGHT}@127.0.0.1:${proxy.port}`, { timeout: 2_000, log });
      await created(store);
      await server.cli('acl', 'setuser', 'default', 'resetpass', `>${WRONG}`);
      await created(store);
      proxy.cut();
      await until(() => store.trouble?.includes('password') === true);
      const { message } = await refused(store.create(freshName(), 'base'), 'refused');
      expect(`${message}${said}`).not.to.include(RIGHT);
    } finally {
      await server.restart();
      await proxy.close();
    }
  });
});

withRedis('a store on a replica', () => {
  const stores = new Stores();
  let master: RedisServer;
  let replica: RedisServer;
  before(async () => {
    [master, replica] = await Promise.all([RedisServer.start(), RedisServer.start()]);
    await replica.cli('replicaof', '127.0.0.1', String(master.port));
    await until(async () => (await replica.cli('info', 'replication')).includes('master_link_status:up'));
  });
  after(async () => {
    await stores.close();
    await Promise.all([master.stop(), replica.stop()]);
  });

  it('reports that it cannot write there, and works when it is made a master', async () => {
    const { sandbox, head } = await created(await stores.open(master.url));
    const store = stores.make(replica.url, { timeout: 2_000 });
    expect((await refused(store.create(freshName(), 'base'), 'refused')).message).to.match(/replica/);
    expect((await refused(store.append(sandbox, head, [[1]]), 'refused')).message).to.match(/replica/);
    expect((await contents(await stores.open(master.url), sandbox)).records).to.deep.equal([]);
    await master.untilReplicated(replica);
    await replica.cli('replicaof', 'no', 'one');
    const promoted = await stores.open(replica.url);
    expect((await contents(promoted, sandbox)).head).to.deep.equal(head);
    await created(store);
  });
});

withRedis('a store behind one address', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  it('follows it to another master when its own has become a replica, loses nothing, and notifies', async () => {
    const [one, other] = await Promise.all([RedisServer.start(), RedisServer.start()]);
    const proxy = await TcpProxy.to(one.port);
    try {
      const store = await stores.open(`redis://127.0.0.1:${proxy.port}`);
      const { sandbox, head } = await created(store);
      const heard = hearing(store, sandbox);
      const appender = new Appender(store, sandbox, head);
      for (const [master, replica] of [
        [one, other],
        [other, one],
      ] as const) {
        await appender.add([[master.port]]);
        await replica.cli('replicaof', '127.0.0.1', String(master.port));
        await master.untilReplicated(replica);
        await replica.cli('replicaof', 'no', 'one');
        await master.cli('replicaof', '127.0.0.1', String(replica.port));
        proxy.turnTo(replica.port); // the connections to the old master stay
      }
      await heard.after(() => appender.add([[0]]));
      heard.unwatch();
      expect((await contents(store, sandbox)).records).to.deep.equal([[one.port], [other.port], [0]]);
      await until(() => store.trouble === undefined); // it tries now and then whether changes are accepted
    } finally {
      await proxy.close();
      await Promise.all([one.stop(), other.stop()]);
    }
  });
});

withRedis('a store in Redis by TLS', () => {
  const stores = new Stores();
  let server: RedisServer;
  let named: RedisServer;
  let folder: Scratch;
  before(async () => {
    folder = scratch();
    [server, named] = await Promise.all([
      RedisServer.start({ tls: '127.0.0.1' }),
      RedisServer.start({ tls: 'redis.example' }),
    ]);
  });
  afterEach(() => stores.close());
  after(async () => {
    folder.drop();
    await Promise.all([server.stop(), named.stop()]);
  });

  it('works with the certificate of a trusted authority', async () => {
    const store = await stores.open(`${server.url}?ca=${server.certificate?.certificate}`);
    const { sandbox } = await created(store);
    expect((await contents(store, sandbox)).base).to.equal('base');
  });

  it('refuses an untrusted certificate, and one of another host', async () => {
    const other = selfSigned(folder.path);
    for (const url of [
      server.url,
      `${server.url}?ca=${other.certificate}`,
      `${named.url}?ca=${named.certificate?.certificate}`,
    ]) {
      const store = stores.make(url, { timeout: 400 });
      await refused(store.create(freshName(), 'base'), 'away');
      const about = /certificate|CERT|SELF_SIGNED|ALTNAME/i;
      await until(() => about.test(store.trouble ?? ''));
      expect((await refused(store.create(freshName(), 'base'), 'away')).message).to.match(about);
    }
  });

  it('accepts any certificate if configured so, and that of a configured name', async () => {
    await created(await stores.open(`${server.url}?insecure=true`));
    await created(await stores.open(`${named.url}?ca=${named.certificate?.certificate}&servername=redis.example`));
  });

  it('reports a Redis without TLS, or with TLS only', async () => {
    const plain = await RedisServer.start();
    try {
      await refused(stores.make(`rediss://127.0.0.1:${plain.port}`, { timeout: 400 }).list(), 'away');
      await refused(stores.make(`redis://127.0.0.1:${server.port}`, { timeout: 400 }).list(), 'away');
    } finally {
      await plain.stop();
    }
  });
});
