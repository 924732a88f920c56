// Real Redis and Valkey servers for tests, on loopback ports of their own and in temporary folders: one server, a Cluster, or a master watched by a Sentinel.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Scratch, scratch } from '../files/scratch.js';
import { endsWithTest } from '../processes/left-behind.js';
import { hasProgram } from '../processes/programs.js';
import { type Certificate, selfSigned } from '../wire/certificates.js';
import { freePort } from '../wire/ports.js';
import { until } from '../worlds/until.js';

export type Engine = 'redis-server' | 'valkey-server';

export interface ServerOptions {
  /** Default: that of the variable `STORE_ENGINE`, or redis-server. */
  readonly engine?: Engine;
  readonly password?: string;
  /** Only TLS, with a certificate of its own for 127.0.0.1. */
  readonly isTls?: boolean;
  readonly isSentinel?: boolean;
  readonly lines?: readonly string[];
}

/** Every change is on disk before its response. */
export const DURABLE = ['appendonly yes', 'appendfsync always'];

/** Whether there is a Redis to test with. Reports a missing one, and throws in CI. Call it once in a test file. */
export function hasRedis(): boolean {
  return hasProgram('redis-server', 'redis-server') && hasProgram('redis-cli', 'redis-tools');
}

export function engines(): readonly Engine[] {
  if (!hasRedis()) return [];
  const isValkey = hasProgram('valkey-server', 'valkey-server (Debian 12: from bookworm-backports)');
  return isValkey ? ['redis-server', 'valkey-server'] : ['redis-server'];
}

export interface Ground {
  readonly url: string;
  stop(): Promise<unknown>;
}

export class RedisServer implements Ground {
  #child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: ServerOptions,
    private readonly scratch: Scratch,
    /** Of a server with TLS: what a client has to trust. */
    readonly certificate: Certificate | undefined,
  ) {}

  static async start(given: ServerOptions = {}): Promise<RedisServer> {
    const { lines = [] } = given;
    const isNode = lines.includes('cluster-enabled yes'); // it listens on a second port
    const options = isNode ? { ...given, lines: [...lines, `cluster-port ${await freePort()}`] } : given;
    const folder = scratch();
    endsWithTest('folder', folder.path);
    const certificate = options.isTls ? selfSigned(folder.path, '127.0.0.1') : undefined;
    const server = new RedisServer(await freePort(), options, folder, certificate);
    writeFileSync(server.#file('conf'), `${server.#configuration().join('\n')}\n`);
    try {
      await server.#begin();
      return server;
    } catch (error) {
      await server.stop();
      if (!String(error).includes('Address already in use')) throw error;
      return RedisServer.start(given);
    }
  }

  get url(): string {
    const { password, isTls } = this.options;
    return `${isTls ? 'rediss' : 'redis'}://${password === undefined ? '' : `:${password}@`}127.0.0.1:${this.port}`;
  }

  kill9(): Promise<void> {
    return this.#end();
  }

  async restart(): Promise<void> {
    await this.#end();
    await this.#begin();
  }

  /** It does nothing, and keeps its connections, until `resume`. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Runs one command by redis-cli, with all permissions; returns its output. An error of the server rejects. */
  async cli(...args: readonly string[]): Promise<string> {
    const { password } = this.options;
    const tls = this.certificate === undefined ? [] : ['--tls', '--insecure'];
    const user = password === undefined ? [] : ['--no-auth-warning', '-a', password];
    const all = ['-h', '127.0.0.1', '-p', String(this.port), '-e', ...tls, ...user, ...args];
    const { stdout } = await promisify(execFile)('redis-cli', all, { timeout: 60_000 });
    return stdout.trimEnd();
  }

  async stop(): Promise<void> {
    await this.#end();
    this.scratch.drop();
    endsWithTest('removed', this.scratch.path);
  }

  #file(name: string): string {
    return join(this.scratch.path, name);
  }

  #configuration(): readonly string[] {
    const { password, isSentinel = false, lines = [] } = this.options;
    const { certificate } = this;
    const listening =
      certificate === undefined
        ? [`port ${this.port}`]
        : [
            'port 0',
            `tls-port ${this.port}`,
            `tls-cert-file ${certificate.certificate}`,
            `tls-key-file ${certificate.key}`,
            `tls-ca-cert-file ${certificate.certificate}`,
            'tls-auth-clients no',
          ];
    const storing = isSentinel ? [] : ['save ""', 'repl-diskless-sync-delay 0'];
    const secret = password === undefined ? [] : [`requirepass ${password}`, `masterauth ${password}`];
    return ['bind 127.0.0.1', ...listening, `dir ${this.scratch.path}`, ...storing, ...secret, ...lines];
  }

  async #begin(): Promise<void> {
    const { engine = process.env.STORE_ENGINE ?? 'redis-server', isSentinel } = this.options;
    const log = openSync(this.#file('log'), 'a');
    const args = [this.#file('conf'), ...(isSentinel ? ['--sentinel'] : [])];
    const child = spawn(engine, args, { stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    this.#child = child;
    await once(child, 'spawn');
    endsWithTest('process', child.pid ?? 0);
    child.unref();
    await until(async () => {
      if (child.exitCode !== null)
        throw new Error(`${engine} does not start: ${readFileSync(this.#file('log'), 'utf8')}`);
      return (await this.cli('ping').catch(String)) === 'PONG';
    });
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined) return;
    const isRunning = child.exitCode === null && child.signalCode === null;
    child.ref();
    child.kill('SIGKILL');
    if (isRunning) await once(child, 'exit');
    endsWithTest('ended', child.pid);
  }
}

/** Three masters, each with a replica that takes over about two seconds after its master died. */
export async function startCluster(engine?: Engine) {
  const node = () => {
    const lines = ['cluster-enabled yes', 'cluster-node-timeout 1000'];
    return RedisServer.start({ ...(engine && { engine }), lines });
  };
  const nodes = await Promise.all(Array.from({ length: 6 }, node));
  const [first] = nodes as [RedisServer]; // there are six
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const isWhole = async (server: RedisServer) => (await server.cli('cluster', 'info')).includes('cluster_state:ok');
  await first.cli('--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes');
  await until(async () => (await Promise.all(nodes.map(isWhole))).every(Boolean));
  return {
    url: `redis+cluster://${hosts.join(',')}`,
    nodes,
    masterOf: async (sandbox: string) => {
      const slot = Number(await first.cli('cluster', 'keyslot', `{${sandbox}}`));
      const ranges = (await first.cli('cluster', 'nodes')).split('\n').flatMap(line => {
        const [, , , ...rest] = line.split(' ');
        const port = Number(line.split(' ')[1]?.split('@')[0]?.split(':')[1]);
        return rest.slice(5).map(range => ({ port, range: range.split('-').map(Number) }));
      });
      const { port } = ranges.find(({ range: [from = 0, to = from] }) => from <= slot && slot <= to) ?? {};
      return nodes.find(one => one.port === port) ?? first;
    },
    stop: () => Promise.all(nodes.map(one => one.stop())),
  };
}

/** A master, a replica, and a Sentinel that promotes it a second after the master died. */
export async function startSentinel(password?: string) {
  const secret = password === undefined ? {} : { password };
  const master = await RedisServer.start(secret);
  const replica = await RedisServer.start({ ...secret, lines: [`replicaof 127.0.0.1 ${master.port}`] });
  await until(async () => (await replica.cli('info', 'replication')).includes('master_link_status:up'));
  const lines = [
    `sentinel monitor mymaster 127.0.0.1 ${master.port} 1`,
    'sentinel down-after-milliseconds mymaster 500',
    'sentinel failover-timeout mymaster 2000',
    ...(password === undefined ? [] : [`sentinel auth-pass mymaster ${password}`]),
  ];
  const sentinel = await RedisServer.start({ isSentinel: true, lines });
  await until(async () => (await sentinel.cli('sentinel', 'replicas', 'mymaster')).includes(`${replica.port}`));
  return {
    url: `redis+sentinel://${password === undefined ? '' : `:${password}@`}127.0.0.1:${sentinel.port}/mymaster`,
    master,
    replica,
    sentinel,
    stop: () => Promise.all([sentinel, master, replica].map(one => one.stop())),
  };
}
