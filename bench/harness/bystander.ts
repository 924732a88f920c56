// Somebody who asks a server something small every few milliseconds, on a connection of its own, and notes how long each response took. Runs as a
// worker, so that nothing that the bench does keeps it waiting.
import { Agent, request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { builtScript } from './places.js';

const EVERY_MS = 2;

/** Waits for a response, in milliseconds. */
export interface Waits {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

export interface Bystander {
  /** Ends the asking. */
  stop(): Promise<Waits>;
}

/** Begins to ask a server; resolves with the first response. `path` is asked with GET. */
export function watch(url: string, path: string): Promise<Bystander> {
  const worker = new Worker(builtScript('bench/harness/bystander.js'), { workerData: `${url}${path}` });
  const message = () =>
    new Promise<Waits>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
  const stop = () => {
    const waits = message();
    worker.postMessage('stop');
    return waits;
  };
  return message().then(() => ({ stop }));
}

if (typeof workerData === 'string') await bystand(workerData);

async function bystand(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  const waits: number[] = [];
  parentPort?.once('message', () => {
    isOver = true;
  });
  await ask(url, agent);
  parentPort?.postMessage(undefined);
  while (!isOver) {
    const began = performance.now();
    await ask(url, agent);
    waits.push(performance.now() - began);
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
  agent.destroy();
  waits.sort((a, b) => a - b);
  const at = (share: number) => waits[Math.floor(share * (waits.length - 1))] ?? 0;
  parentPort?.postMessage({ median: at(0.5), p99: at(0.99), longest: at(1) } satisfies Waits);
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent }, response => {
      response.once('error', reject).once('end', resolve).resume();
    });
    asking.once('error', reject).end();
  });
}
