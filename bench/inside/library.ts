// Measures inside one process what the library takes of a test: import, a fake, a sandbox, one operation. Prints its figures as JSON.
// The first three cost what they do only once in a process: more values come from more processes.
import { type Figure, microseconds } from './clocked.js';

const body = { users: ['alice'], filters: [10500] };
const figures: Figure[] = [];

const { createFake, startFake } = await timed('import the library', () => import('../../server/index.js'));
const fake = await timed('the first createFake', () => createFake());
const first = fake.sandbox().client('admin');
await timed('the first operation', () => first.ppf.push({ body }));
const second = await timed('the second createFake', () => createFake());
const served = await timed('startFake after that', () => startFake());

note('hold a sandbox', await microseconds(20, 500, () => second.sandbox()));
note('hold a sandbox, and make it', await microseconds(20, 500, () => second.sandbox().journal()));
const sandbox = fake.sandbox();
const { ppf } = sandbox.client('admin');
note('a push by the client, in process', await microseconds(24, 500, () => ppf.push({ body })));
note('the same by fetch, in process', await microseconds(24, 500, () => pushed(sandbox.fetch, sandbox.url)));
note(
  'the same by fetch, over a socket',
  await microseconds(24, 250, () => pushed(fetch, served.sandbox('default').url)),
);
await Promise.all([fake, second, served].map(other => other.stop()));
console.log(JSON.stringify(figures));

async function pushed(transport: typeof fetch, url: string): Promise<unknown> {
  const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' };
  const response = await transport(`${url}/rest/cwx-ppf/latest/push`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`push answered ${response.status}`);
  return response.json();
}

async function timed<T>(what: string, act: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const made = await act();
  figures.push({ what, unit: 'ms', values: [performance.now() - began] });
  return made;
}

function note(what: string, values: readonly number[]): void {
  figures.push({ what, unit: 'µs', values });
}
