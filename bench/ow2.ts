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

const visited = result
  .filter(({ url }) => url.includes('/server/') && !url.includes('/node_modules/'))
  .map(({ functions }) =>
    functions.filter(({ functionName, ranges }) => functionName !== '' || ranges[0]?.startOffset !== 0),
  )
  .map(functions => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
  .filter(functions => functions > 0);
const functions = visited.reduce((sum, count) => sum + count, 0);
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
for (const { url, functions } of result.filter(({ url }) => url.includes('/server/') && !url.includes('/node_modules/'))) {
  const fs = functions.filter(({ functionName, ranges }) => (functionName !== '' || ranges[0]?.startOffset !== 0) && (ranges[0]?.count ?? 0) > 0);
  if (fs.length) console.log(url.replace(/.*\/server\//, ''), fs.length, fs.map(f => `${f.functionName || '()'}×${f.ranges[0]!.count}`).join(' '));
}
