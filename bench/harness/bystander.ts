// Somebody who asks a server something small every few milliseconds, on a connection of its own, and notes how long each response took. Runs as a
// worker, so that nothing that the bench does keeps it waiting.
import { Agent, request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { builtScript } from './places.js';

const EVERY_MS = 2;

export interface Bystander {
  /** Ends the asking, and gives the longest wait for a response in milliseconds. */
  stop(): Promise<number>;
}

/** Begins to ask a server; resolves with the first response. `path` is asked with GET. */
export function watch(url: string, path: string): Promise<Bystander> {
  const worker = new Worker(builtScript('bench/harness/bystander.js'), { workerData: `${url}${path}` });
  const message = () =>
    new Promise<number>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
  const stop = () => {
    const longest = message();
    worker.postMessage('stop');
    return longest;
  };
  return message().then(() => ({ stop }));
}

if (typeof workerData === 'string') await bystand(workerData);

async function bystand(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  let longest = 0;
  parentPort?.once('message', () => {
    isOver = true;
  });
  await ask(url, agent);
  parentPort?.postMessage(0);
  while (!isOver) {
    const began = performance.now();
    await ask(url, agent);
    longest = Math.max(longest, performance.now() - began);
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
  agent.destroy();
  parentPort?.postMessage(longest);
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent }, response => {
      response.once('error', reject).once('end', resolve).resume();
    });
    asking.once('error', reject).end();
  });
}
