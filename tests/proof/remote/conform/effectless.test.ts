// A server that reports success without doing the work never conforms to the rule that demands it.
import type { SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { effects, expectDisbelieved, telling } from '../../../support/other-servers/bitten.js';
import { type Prepared, prepared } from '../../../support/other-servers/conforming.js';

/** The first hides most effects, the second shows most of them. */
const servers: ReadonlyArray<readonly [name: string, readings: SomeReadings]> = [
  ['by default', {}],
  ['where it refuses what changes nothing', telling],
];

describe('a server without effect', function () {
  this.timeout(180_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });

  for (const [name, readings] of servers) {
    for (const [operation, rules] of Object.entries(effects)) {
      it(`never conforms to ${rules.join(' or ')}: ${operation} does nothing, ${name}`, () =>
        expectDisbelieved(operation, readings, plan));
    }
  }
});
