// Writing and reading a sandbox, over random histories: every state, change, journal entry and later response stays the same.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { sandboxFormat } from '../../../server/engine/codec/sandbox-codec.js';
import { advanceAll, type State } from '../../../server/engine/sandbox/state.js';
import { asked, courses, gone, origins } from './courses.js';
import { plainState, Walk, worldsOf } from './walk.js';

/** Where a log begins. */
const at = { version: 7, run: 3, lastId: 12, cleared: 5 };

type Format = ReturnType<typeof sandboxFormat>;

/** What another process reads from what this one wrote. */
async function readBack(
  state: State,
  writer: Format = sandboxFormat(),
  reader: Format = sandboxFormat(),
): Promise<State> {
  const { text, part } = writer.writeBase({ ...at, state });
  expect(text).to.not.contain('\n');
  const read = await reader.readBase(text, async name => {
    if (part?.name !== name) throw new Error(`there is no part ${name}`);
    return part.text();
  });
  expect({ ...read, state }).to.deep.equal({ ...at, state });
  return read.state;
}

/** Chai computes the difference only if there is one. */
function same(found: unknown, said: unknown, what: string): void {
  if (!isDeepStrictEqual(found, said)) expect(found, what).to.deep.equal(said);
}

/** In each of several ways, on this many random histories. */
export function testCodec(runs: number): void {
  describe('a written sandbox', () => {
    it('is read back as the same state, in every field', async () => {
      await fc.assert(
        fc.asyncProperty(origins, courses(30), async (origin, course) => {
          const { state } = gone(origin, course);
          const again = await readBack(state);
          same(plainState(again), plainState(state), 'the state');
          same(plainState(await readBack(again)), plainState(state), 'the state, written again');
          const [then, now] = [worldsOf(state), worldsOf(again)];
          for (const [i, world] of then.entries())
            expect(now[then.indexOf(world)] === now[i], 'shared as before').to.equal(true);
        }),
        { numRuns: runs },
      );
    });

    it('gives later requests the same responses as the original, byte for byte', async () => {
      await fc.assert(
        fc.asyncProperty(origins, courses(20), asked, async (origin, course, later) => {
          const { state } = gone(origin, course);
          const [walk, again] = [new Walk(state), new Walk(await readBack(state))];
          for (const { go } of later) for (const one of [walk, again]) go(one);
          same(again.responses, walk.responses, 'the responses');
          same(again.notes, walk.notes, 'the journal');
          same(again.entries, walk.entries, 'the changes');
          same(plainState(again.state), plainState(walk.state), 'the state afterwards');
        }),
        { numRuns: runs },
      );
    });

    it('reaches the same state through its changes, from any version', async () => {
      const format = sandboxFormat();
      await fc.assert(
        fc.asyncProperty(origins, courses(20), fc.nat(20), async (origin, course, number) => {
          const walk = gone(origin, course);
          const from = number % (walk.version + 1);
          const states = walk.states.slice(0, from);
          states.push(await readBack(walk.at(from) ?? expect.fail('there is such a version')));
          for (const entry of walk.entries.slice(from)) {
            const text = format.writeRecord({ changes: entry });
            const { changes: read = [] } = format.readRecord(text);
            same(read, JSON.parse(JSON.stringify(entry)), 'the changes');
            expect(text).to.not.contain('\n');
            states.push(advanceAll(states.at(-1) ?? walk.state, read, { at: version => states[version] }));
          }
          same(plainState(states.at(-1) ?? walk.state), plainState(walk.state), 'the state');
        }),
        { numRuns: runs },
      );
    });

    it('keeps its journal entries, whose facts usually are the changes', () => {
      const format = sandboxFormat();
      fc.assert(
        fc.property(origins, courses(20), (origin, course) => {
          for (const { changes = [], entry } of gone(origin, course).records) {
            const text = format.writeRecord({ changes, ...(entry && { entry }) });
            const plain = JSON.parse(JSON.stringify({ ...(changes.length > 0 && { changes }), entry })) as object;
            same(format.readRecord(text), plain, 'the record');
            expect(text).to.not.contain('\n');
          }
        }),
        { numRuns: runs },
      );
    });
  });
}
