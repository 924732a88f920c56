// How many files and functions of the server one warm request visits, by the exact coverage of V8: `npm run one-way`.
import { Session } from 'node:inspector/promises';
import { startFake } from '../server/index.js';

const WARM_UP = 400;

const fake = await startFake();
const session = new Session();
session.connect();
for (let i = 0; i < WARM_UP; i += 1) await ask(i % 2 === 0 ? 'remove-users' : 'add-users');
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await session.post('Profiler.takePreciseCoverage'); // counts from here
const status = await ask('add-users'); // once more, so that nothing changes
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();
await fake.stop();

/** Of each file, its functions that were called; `__name` is the compiler's. */
const visited = result
  .filter(({ url }) => url.includes('/server/') && !url.includes('/node_modules/'))
  .map(({ url, functions }) => ({
    file: url.replace(/.*\/server\//, ''),
    called: functions
      .filter(({ functionName, ranges: [whole] }) => (functionName !== '' || whole?.startOffset !== 0) && whole?.count)
      .map(({ functionName }) => functionName || '=>')
      .filter(name => name !== '__name'),
  }))
  .filter(({ called }) => called.length > 0);
const functions = visited.reduce((sum, { called }) => sum + called.length, 0);
for (const { file, called } of visited) console.log(`${file}: ${called.join(', ')}`);
console.log(`add-users (${status}) visits ${visited.length} files and ${functions} functions of server/`);

async function ask(operation: 'add-users' | 'remove-users'): Promise<number> {
  const response = await fetch(`${fake.url}/rest/cwxapiextension/latest/groups/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('admin:admin')}` },
    body: JSON.stringify({ group: 'customers', users: ['alice', 'carol'] }),
  });
  await response.text();
  return response.status;
}
