// A fake that runs during the tests of a describe block.
import { createFake, type Fake } from '../../../server/index.js';

export function useFake(make: () => Promise<Fake> = createFake): Fake {
  const fake = {} as Fake; // complete before the first test
  before(async () => Object.assign(fake, await make()));
  after(() => fake.stop?.());
  return fake;
}
