// Writing and reading a sandbox, over random histories: every state, change, journal entry and later answer stays the same.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { sandboxFormat } from '../../../server/engine/codec/sandbox-codec.js';
import { advanceAll, type State } from '../../../server/engine/sandbox/state.js';
import { asked, courses, gone, origins } from './courses.js';
import { noPart, noParts } from './no-parts.js';
import { plainState, Walk, worldsOf } from './walk.js';

type Format = ReturnType<typeof sandboxFormat>;

/** What another process reads from what this one wrote. */
async function readBack(
  state: State,
  writer: Format = sandboxFormat(),
  reader: Format = sandboxFormat(),
): Promise<State> {
  const { text, parts } = writer.writeBase(state);
  expect(text).to.not.contain('\n');
  return reader.readBase(text, async name => parts.get(name)?.() ?? expect.fail(`there is no part ${name}`));
}

/** Chai computes the difference only if there is one. */
function same(found: unknown, said: unknown, what: string): void {
  if (!isDeepStrictEqual(found, said)) expect(found, what).to.deep.equal(said);
}

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
      { numRuns: 300 },
    );
  });

  it('gives later requests the same answers as the original, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(origins, courses(20), asked, async (origin, course, later) => {
        const { state } = gone(origin, course);
        const [walk, again] = [new Walk(state), new Walk(await readBack(state))];
        for (const { go } of later) for (const one of [walk, again]) go(one);
        same(again.answers, walk.answers, 'the answers');
        same(again.notes, walk.notes, 'the journal');
        same(again.entries, walk.entries, 'the changes');
        same(plainState(again.state), plainState(walk.state), 'the state afterwards');
      }),
      { numRuns: 200 },
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
          const text = format.writeEntry(entry, noParts);
          const read = format.readEntry(text, noPart);
          same(read, JSON.parse(JSON.stringify(entry)), 'the entry');
          expect(text).to.not.contain('\n');
          states.push(advanceAll(states.at(-1) ?? walk.state, read, { at: version => states[version] }));
        }
        same(plainState(states.at(-1) ?? walk.state), plainState(walk.state), 'the state');
      }),
      { numRuns: 200 },
    );
  });

  it('keeps its journal entries, without their numbers', () => {
    const format = sandboxFormat();
    fc.assert(
      fc.property(origins, courses(20), (origin, course) => {
        for (const entry of gone(origin, course).notes) {
          const text = format.writeNote(entry, noParts);
          const { id: _, ...rest } = JSON.parse(JSON.stringify(entry)) as typeof entry;
          same(format.readNote(text, noPart), rest, 'the journal entry');
          expect(text).to.not.contain('\n');
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is read in the form of version 1, with facts of one favourite each', () => {
    const written = '[{"type":"favourite-added","item":"filters","id":10500,"users":["alice","\\"id\\":7"]}]';
    const fact = { type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice', '"id":7'] };
    expect(sandboxFormat().readEntry(written, noPart)).to.deep.equal([fact]);
  });
});
