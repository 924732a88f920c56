// A fake within the process responds while a test tool has replaced timers and clocks.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { connectFake, createFake, type Fake, startFake } from '../../server/index.js';
import { built } from '../support/processes/built.js';

type Replaced = NonNullable<NonNullable<Parameters<typeof FakeTimers.install>[0]>['toFake']>;

const timers: Replaced = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
];
const tools: Readonly<Record<string, Replaced | undefined>> = {
  Vitest: [...timers, 'Date', 'performance'],
  'Jest, which replaces microtasks too': [...timers, 'Date', 'performance', 'hrtime', 'nextTick', 'queueMicrotask'],
  'Sinon, with everything that there is': undefined,
  'a tool that replaces the date only': ['Date'],
};

const requests: Readonly<Record<string, (fake: Fake) => Promise<Response>>> = {
  'a resource': fake => fake.fetch('/rest/api/space'),
  'an operation with a body': fake =>
    fake.fetch('/rest/cwxapiextension/latest/groups/add-users', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ group: 'customers', users: ['alice'] }),
    }),
  'a delayed response': async fake => {
    await fake.sandbox('late').faults.set([{ path: '/late', effect: { delay: 5 } }]);
    return fake.fetch('/~late/late');
  },
};

describe('under fake timers', () => {
  for (const [tool, toFake] of Object.entries(tools))
    for (const [what, ask] of Object.entries(requests))
      it(`of ${tool}: ${what} is answered`, async () => {
        const fake = await createFake();
        const clock = FakeTimers.install({ now: 0, ...(toFake && { toFake }) });
        const held = { setTimeout, setImmediate, nextTick: process.nextTick };
        try {
          expect((await ask(fake)).status).to.be.within(200, 404);
          const now = { setTimeout, setImmediate, nextTick: process.nextTick };
          expect(now, 'the fakes are still there').to.deep.equal(held);
        } finally {
          clock.uninstall();
        }
        const [entry] = await fake.sandbox('default').journal({ limit: 1 });
        if (entry !== undefined) expect(Date.parse(entry.at)).to.be.above(Date.parse('2020-01-01'));
        await fake.stop();
      });

  for (const [tool, toFake] of Object.entries(tools))
    it(`of ${tool}: a fake elsewhere is asked, repeatedly`, async () => {
      const fake = await startFake();
      const elsewhere = await connectFake(fake.url);
      const clock = FakeTimers.install({ now: 0, shouldClearNativeTimers: true, ...(toFake && { toFake }) });
      try {
        for (const name of ['one', 'two'])
          expect((await elsewhere.sandbox(name).fetch('/rest/api/space')).status).to.equal(200);
      } finally {
        clock.uninstall();
      }
      await elsewhere.stop();
      await fake.stop();
    });

  it('leaves the timers of a test that ends them while a request runs', async () => {
    const fake = await createFake();
    const { nextTick } = process;
    const clock = FakeTimers.install();
    const asked = fake.fetch('/rest/api/space');
    clock.uninstall();
    await asked;
    expect(process.nextTick).to.equal(nextTick);
    await fake.stop();
  });

  it('never calls a global timer or clock itself', () => {
    const root = join(import.meta.dirname, '../../server');
    const used = ['engine', 'http', 'library', 'scenario', 'store']
      .flatMap(folder =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
      )
      .filter(file => file.endsWith('.ts') && !file.endsWith('real-time.ts') && !file.endsWith('engine-clock.ts'))
      .filter(file =>
        /(?<![\w.`])(?:set(?:Timeout|Interval|Immediate)|queueMicrotask)\(|process\.nextTick|(?<!`)performance\.now\(|(?<![\w.])Date\.now\(|new Date\(\)/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      );
    expect(used).to.deep.equal([]);
  });

  it('answers also if the timers were replaced before it was loaded', async () => {
    await built();
    const code = `
      require('@sinonjs/fake-timers').install();
      const { createFake } = require('./dist/server/index.js');
      createFake().then(fake => fake.fetch('/rest/api/space')).then(({ status }) => { console.log(status); process.exit(0); });
    `;
    const cwd = join(import.meta.dirname, '../..');
    expect(String(execFileSync(process.execPath, ['-e', code], { cwd, timeout: 100_000 }))).to.equal('200\n');
  });
});
