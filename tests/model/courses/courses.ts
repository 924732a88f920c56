// The courses of the model as tests, on a fake in process and over HTTP, for the time a test run allows.
import { createFake, type Fake, startFake } from '../../../server/index.js';
import { ControlDriver } from '../drivers/driver.js';
import { LibraryDriver } from '../drivers/library-driver.js';
import { SCENARIO, tryCourses } from './trying.js';

/** `time`: milliseconds for each of the two. */
export function testCourses(time: number): void {
  describe('courses of several sandboxes', function () {
    this.timeout(0);
    const fakes: Fake[] = [];
    after(() => Promise.all(fakes.map(fake => fake.stop())));

    it('run by the library match the model', async () => {
      const fake = await createFake({ scenario: SCENARIO });
      fakes.push(fake);
      const test = "tests/model/courses/courses.test.ts -g 'by the library'";
      await tryCourses(new LibraryDriver(fake), 60, { time, test });
    });

    it('run over HTTP match the model', async () => {
      const fake = await startFake({ scenario: SCENARIO });
      fakes.push(fake);
      const test = "tests/model/courses/courses.test.ts -g 'over HTTP'";
      await tryCourses(new ControlDriver(fake.url, fetch), 60, { time, test });
    });
  });
}
