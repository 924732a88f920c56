// Real Redis and Valkey servers for tests, on loopback ports and in temporary folders: started, stopped, killed, paused and restarted.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Scratch, scratch } from '../files/scratch.js';
import { endsWithTest } from '../processes/left-behind.js';
import { hasProgram } from '../processes/programs.js';
import { type Certificate, selfSigned } from '../wire/certificates.js';
import { freePort } from '../wire/ports.js';
import { until } from '../worlds/until.js';

export type Engine = 'redis-server' | 'valkey-server';

/** The engine of all tests that name none. */
const USUAL = (process.env.STORE_ENGINE ?? 'redis-server') as Engine;

export interface ServerOptions {
  readonly engine?: Engine;
  /** Left out: `none`. With `aof-always` all that was answered is there after a kill -9; with `aof-everysec` too, unless the disk is slow: then answers do not wait for it for up to two seconds. */
  readonly persistence?: 'none' | 'aof-everysec' | 'aof-always';
  /** As the engine writes it, such as `8mb`. */
  readonly maxmemory?: string;
  /** The `maxmemory-policy`. */
  readonly policy?: string;
  /** Of the user `default`; those who know none are told NOAUTH. */
  readonly password?: string;
  /** Further users, each as ACL SETUSER takes it: `weak on >secret ~* -@all +ping`. */
  readonly users?: readonly string[];
  /** Speaks only TLS then, with a certificate of its own for this host (an address or a name). */
  readonly tls?: string;
  /** Further lines of its configuration. */
  readonly lines?: readonly string[];
}

/** Whether there is a Redis to test with. Says so, and throws in CI, where there is none: to be asked once in a test file. */
export function hasRedis(): boolean {
  return hasProgram('redis-server', 'redis-server') && hasProgram('redis-cli', 'redis-tools');
}

/** The installed engines, for what can differ between them. Reports a missing one, and throws in CI. Call it once in a test file. */
export function engines(): readonly Engine[] {
  if (!hasRedis()) return [];
  const isValkey = hasProgram('valkey-server', 'valkey-server (Debian 12: from bookworm-backports)');
  return isValkey ? ['redis-server', 'valkey-server'] : ['redis-server'];
}

export class RedisServer {
  #child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: ServerOptions,
    private readonly scratch: Scratch,
    /** Of a server with TLS: what a client has to trust. */
    readonly certificate: Certificate | undefined,
  ) {}

  /** Starts one, and resolves when it answers. */
  static async start(options: ServerOptions = {}): Promise<RedisServer> {
    for (let tried = 1; ; tried += 1) {
      const folder = scratch();
      endsWithTest('folder', folder.path);
      const certificate = options.tls === undefined ? undefined : selfSigned(folder.path, options.tls);
      const server = new RedisServer(await freePort(), options, folder, certificate);
      try {
        await server.#begin();
        return server;
      } catch (error) {
        await server.stop();
        if (tried === 3 || !String(error).includes('Address already in use')) throw error; // else another took the port meanwhile
      }
    }
  }

  get url(): string {
    const { password, tls } = this.options;
    const user = password === undefined ? '' : `:${password}@`;
    return `${tls === undefined ? 'redis' : 'rediss'}://${user}127.0.0.1:${this.port}`;
  }

  get folder(): string {
    return this.scratch.path;
  }

  /** The id of its process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** What it has logged, and what it said before it could log. */
  get log(): string {
    const files = ['log', 'said'].map(name => join(this.folder, name)).filter(existsSync);
    return files.map(file => readFileSync(file, 'utf8')).join('');
  }

  /** Ends it as a power cut would, but for what the system has taken to write. */
  kill9(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Starts it again on the same port and folder; kills it before where it runs. */
  async restart(): Promise<void> {
    await this.kill9();
    await this.#begin();
  }

  /** It does nothing, and keeps its connections, until `resume`. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Runs one command by redis-cli, with all rights; gives what it prints, without the last line end. An error of the server rejects. */
  async cli(...args: readonly string[]): Promise<string> {
    const { password } = this.options;
    const tls = this.certificate === undefined ? [] : ['--tls', '--cacert', this.certificate.certificate, '--insecure'];
    const user = password === undefined ? [] : ['--no-auth-warning', '-a', password];
    const all = ['-h', '127.0.0.1', '-p', String(this.port), '-e', ...tls, ...user, ...args];
    const { stdout } = await promisify(execFile)('redis-cli', all, { timeout: 10_000 });
    return stdout.replace(/\n$/, '');
  }

  /** Waits until a replica has everything that was written here. */
  async untilReplicated(replica: RedisServer): Promise<void> {
    const written = await this.#offset('master_repl_offset');
    await until(async () => (await replica.#offset('slave_repl_offset')) >= written);
  }

  async #offset(name: string): Promise<number> {
    const [, offset] = new RegExp(`^${name}:(\\d+)`, 'm').exec(await this.cli('info', 'replication')) ?? [];
    return Number(offset ?? -1);
  }

  /** Ends it and removes its folder. May be called again. */
  async stop(): Promise<void> {
    await this.kill9();
    this.scratch.drop();
    endsWithTest('removed', this.folder);
  }

  async #begin(): Promise<void> {
    const file = join(this.folder, 'server.conf');
    writeFileSync(file, `${configuration(this.port, this.folder, this.options, this.certificate).join('\n')}\n`);
    const said = openSync(join(this.folder, 'said'), 'w');
    const child = spawn(this.options.engine ?? USUAL, [file], {
      stdio: ['ignore', said, said],
      detached: true,
    });
    await once(child, 'spawn');
    closeSync(said);
    this.#child = child;
    endsWithTest('process', child.pid ?? 0);
    child.unref();
    await this.#responses(child);
  }

  async #responses(child: ChildProcess): Promise<void> {
    for (const started = Date.now(); ; ) {
      const response = await this.cli('ping').catch(String);
      if (response === 'PONG') return;
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (hasEnded || Date.now() - started > 10_000)
        throw new Error(`${this.options.engine ?? USUAL} does not start: ${response}\n${this.log}`);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined) return;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.ref();
      child.kill(signal);
      await ended;
    }
    endsWithTest('ended', child.pid);
  }
}

function configuration(
  port: number,
  folder: string,
  { persistence = 'none', maxmemory, policy, password, users = [], lines = [] }: ServerOptions,
  certificate: Certificate | undefined,
): readonly string[] {
  return [
    'bind 127.0.0.1',
    ...(certificate === undefined
      ? [`port ${port}`]
      : [
          'port 0',
          `tls-port ${port}`,
          `tls-cert-file ${certificate.certificate}`,
          `tls-key-file ${certificate.key}`,
          `tls-ca-cert-file ${certificate.certificate}`,
          'tls-auth-clients no',
        ]),
    `dir ${folder}`,
    `logfile ${join(folder, 'log')}`,
    'save ""',
    `appendonly ${persistence === 'none' ? 'no' : 'yes'}`,
    `appendfsync ${persistence === 'aof-always' ? 'always' : 'everysec'}`,
    'repl-diskless-sync-delay 0',
    ...(maxmemory === undefined ? [] : [`maxmemory ${maxmemory}`]),
    ...(policy === undefined ? [] : [`maxmemory-policy ${policy}`]),
    ...(password === undefined ? [] : [`requirepass ${password}`]),
    ...users.map(user => `user ${user}`),
    ...lines,
  ];
}
