// A server in a process of its own as a replica, which is killed by -9 and comes back on its port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cli } from '../../support/processes/built.js';
import { endsWithTest } from '../../support/processes/left-behind.js';
import { freePort } from '../../support/wire/ports.js';
import { readings } from './asked.js';
import { httpClient } from './http-client.js';
import type { Client, Replica } from './replica.js';

/** More entries than arrive between two reads of a journal. */
const JOURNAL = '15000';

export class ServedReplica implements Replica {
  #child: ChildProcess | undefined;
  #starting: Promise<void> = Promise.resolve();

  private constructor(
    readonly name: string,
    private readonly port: number,
    private readonly args: readonly string[],
  ) {}

  /** Starts one on a store, and resolves when it listens. */
  static async start(name: string, store: string): Promise<ServedReplica> {
    const port = await freePort();
    const chosen = Object.entries(readings).flatMap(([gap, reading]) => ['--reading', `${gap}=${reading}`]);
    const flags = ['--port', String(port), '--store', store, '--journal', JOURNAL, '--log', 'silent'];
    const replica = new ServedReplica(name, port, ['serve', ...flags, ...chosen]);
    await replica.#begin();
    return replica;
  }

  up(): Promise<void> {
    return this.#starting;
  }

  client(): Client {
    return httpClient(`http://127.0.0.1:${this.port}`);
  }

  /** Creates a sandbox, which can be read before the first change. */
  async make(sandbox: string): Promise<void> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: sandbox }),
    };
    const { status } = await fetch(`http://127.0.0.1:${this.port}/_fake/v1/sandboxes`, init);
    if (status !== 201) throw new Error(`${sandbox} is not made: status ${status}`);
  }

  /** Kills it, and starts it again. */
  async restart(): Promise<void> {
    const child = this.#child;
    let begun = () => {};
    let failed: (error: unknown) => void = () => {};
    this.#starting = new Promise((resolve, reject) => {
      begun = resolve;
      failed = reject;
    });
    if (child !== undefined) await kill(child);
    await this.#begin().then(begun, failed);
    return this.#starting;
  }

  async stop(): Promise<void> {
    if (this.#child !== undefined) await kill(this.#child);
  }

  async #begin(): Promise<void> {
    const child = spawn(process.execPath, [cli, ...this.args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    endsWithTest('process', child.pid ?? 0);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${this.name} does not start: ${said}`);
    });
    await Promise.race([once(child.stdout, 'data'), ended]); // it prints its address when it listens
    ended.catch(() => {});
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  endsWithTest('ended', child.pid ?? 0);
}
