// Changes a sandbox at one server, one change at a time, and listens to it at another: when the response came, and when the event of it. Knows nothing of
// either. Arguments: the URL that is asked; the URL that is listened at; the sandbox; a file of requests; the credentials; how many.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const [asked = '', heard = '', sandbox = '', file = '', authorization = '', count = '0'] = process.argv.slice(2);
const WARM_UP = 200;

const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let onEntry = (_at: number) => {};

await send(lines[0] ?? ''); // which makes the sandbox
const stream = await listen();
const responses: number[] = [];
const delays: number[] = [];
for (let i = 1; i <= WARM_UP + Number(count); i += 1) {
  const event = new Promise<number>(resolve => {
    onEntry = resolve;
  });
  const began = performance.now();
  await send(lines[i % lines.length] ?? '');
  const answered = performance.now();
  const delay = (await event) - answered;
  if (i <= WARM_UP) continue;
  responses.push(answered - began);
  delays.push(delay);
}
stream.destroy();
agent.destroy();
console.log(JSON.stringify({ responses: quantiles(responses), delays: quantiles(delays) }));

function send(line: string): Promise<void> {
  const [method = '', path = '', body = ''] = line.split('\t');
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = request(`${asked}${path}`, { method, headers, agent }, response => {
      response.resume();
      if (response.statusCode !== 200) reject(new Error(`${line} was answered ${response.statusCode}`));
      response.once('end', resolve);
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

/** Resolves when it is open. */
function listen(): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const listening = request(`${heard}/_fake/v1/sandboxes/${sandbox}/events`, response => {
      if (response.statusCode !== 200) reject(new Error(`the events were answered ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) if (/^event: entry$/m.test(block)) onEntry(performance.now());
        resolve(response);
      });
    });
    listening.on('error', reject);
    listening.end();
  });
}

/** Milliseconds: in the middle, and those that one in a hundred exceeds. */
function quantiles(values: number[]): { p50: number; p99: number } {
  values.sort((a, b) => a - b);
  const at = (share: number) => values[Math.floor(values.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
