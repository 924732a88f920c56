// The courses of the model as tests, on a fake in process and over HTTP, for the time a test run allows.
import { connectFake, createFake, type Fake, startFake } from '../../../server/index.js';
import { Driver } from '../driver.js';
import { SCENARIO, tryCourses } from './trying.js';

/** `time`: milliseconds for each of the two. */
export function testCourses(time: number): void {
  describe('courses of several sandboxes', function () {
    this.timeout(0);
    const fakes: Fake[] = [];
    after(() => Promise.all(fakes.map(fake => fake.stop())));

    it('in the process match the model', async () => {
      const fake = await createFake({ scenario: SCENARIO });
      fakes.push(fake);
      const test = "tests/model/courses/courses.test.ts -g 'in the process'";
      await tryCourses(new Driver(fake), 60, { time, test });
    });

    it('over HTTP match the model', async () => {
      const served = await startFake({ scenario: SCENARIO });
      const fake = await connectFake(served.url);
      fakes.push(fake, served);
      const test = "tests/model/courses/courses.test.ts -g 'over HTTP'";
      await tryCourses(new Driver(fake, fetch), 60, { time, test });
    });
  });
}
