// Random courses of several sandboxes, every operation and every control call, beside a model written apart from the server.
import { createFake, type Fake, startFake } from '../../server/index.js';
import { ControlDriver } from './driver.js';
import { LibraryDriver } from './library-driver.js';
import { SCENARIO, tryCourses } from './trying.js';

describe('courses of several sandboxes', function () {
  this.timeout(0);
  const fakes: Fake[] = [];
  after(() => Promise.all(fakes.map(fake => fake.stop())));

  it('by the library are what the model says', async () => {
    const fake = await createFake({ scenario: SCENARIO });
    fakes.push(fake);
    const test = "tests/model/courses.test.ts -g 'by the library'";
    await tryCourses(new LibraryDriver(fake), 60, { time: 5000, test });
  });

  it('over HTTP are what the model says', async () => {
    const fake = await startFake({ scenario: SCENARIO });
    fakes.push(fake);
    const test = "tests/model/courses.test.ts -g 'over HTTP'";
    await tryCourses(new ControlDriver(fake.url, fetch), 60, { time: 5000, test });
  });
});
