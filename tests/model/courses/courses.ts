// The courses of the model and concurrent requests as tests, on a fake in process and over HTTP, for the time a test run allows.
import { connectFake, createFake, type Fake, startFake } from '../../../server/index.js';
import { Driver } from '../driver.js';
import { tryAtOnce } from './at-once.js';
import { SCENARIO, tryCourses } from './trying.js';

/** Milliseconds for each kind of fake. */
export function testCourses(courses: number, atOnce: number): void {
  const fakes: Fake[] = [];
  const kinds: Readonly<Record<string, () => Promise<Driver>>> = {
    'in the process': async () => {
      const fake = await createFake({ scenario: SCENARIO });
      fakes.push(fake);
      return new Driver(fake);
    },
    'over HTTP': async () => {
      const served = await startFake({ scenario: SCENARIO });
      const fake = await connectFake(served.url);
      fakes.push(fake, served);
      return new Driver(fake, fetch);
    },
  };
  for (const [kind, make] of Object.entries(kinds))
    describe(`several sandboxes of a fake ${kind}`, function () {
      this.timeout(0);
      after(() => Promise.all(fakes.splice(0).map(fake => fake.stop())));
      const test = (title: string) => `tests/model/courses/courses.test.ts -g '${kind} ${title}'`;

      it('match the model in random courses', async () => {
        await tryCourses(await make(), 60, { time: courses, test: test('match') });
      });

      it('behave, for concurrent requests, as if these came in the order of the journal', async () => {
        await tryAtOnce(await make(), { time: atOnce, test: test('behave') });
      });
    });
}
