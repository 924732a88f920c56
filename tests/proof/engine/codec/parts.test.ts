// Worlds as parts: what is a part and what a patch, what a process shares, every shipped fixture, and the small size of an idle
// sandbox.
import { expect } from 'chai';
import { applyPatch } from '../../../../server/domain/form/patch.js';
import type { World } from '../../../../server/domain/world.js';
import { sandboxFormat } from '../../../../server/engine/codec/sandbox-codec.js';
import { begin, type State } from '../../../../server/engine/sandbox/state.js';
import { StoreError, type WrittenBase } from '../../../../server/engine/store.js';
import { defaultFolders, packageRoot } from '../../../../server/scenario/load/folders.js';
import { listFixtures, listScenarios, loadNamed } from '../../../../server/scenario/load/load.js';
import { isProblems } from '../../../../server/scenario/yaml/problem.js';
import { plainState, Walk } from '../../../engine/codec/walk.js';
import { smallTeam } from '../../../support/worlds/ask.js';
import { plainWorld } from '../../../support/worlds/plain-world.js';

const origin = { scenario: 'small-team', world: smallTeam, readings: {} };
const begun = begin(origin);
const withWorld = (world: World, state: State = begun): State => ({ ...state, world });
const partsOf =
  ({ parts }: WrittenBase) =>
  async (name: string) =>
    parts.get(name)?.() ?? expect.fail(`no part ${name}`);
const never = async (name: string) => expect.fail(`${name} is asked for`);
const fleeting = (world: World) =>
  applyPatch(applyPatch(world, { pages: { '7': { space: 'ds', title: 'F', position: 50 } } }), {
    pages: { '7': null },
  });

describe('the world of a base', () => {
  it('is a part named by its contents, whoever writes it', () => {
    const [one, other] = [sandboxFormat().writeBase(begun), sandboxFormat().writeBase(withWorld(smallTeam))];
    expect([...one.parts.keys()])
      .to.deep.equal([...other.parts.keys()])
      .and.to.have.length(1);
    expect([...one.parts.keys()][0]).to.match(/^w-[0-9a-f]{64}$/);
    expect(one.text).to.equal(other.text).and.to.have.length.below(220);
    expect([
      ...sandboxFormat()
        .writeBase(begin({ ...origin, world: fleeting(smallTeam) }))
        .parts.keys(),
    ]).to.not.deep.equal([...one.parts.keys()]);
  });

  it('is a patch if that is less than half, and otherwise a part of its own', async () => {
    const [little, much] = [
      { groups: { customers: ['alice'] } },
      { pages: { '65701': { body: 'NAME '.repeat(4000) } } },
    ];
    for (const [patch, parts] of [
      [little, 1],
      [much, 2],
    ] as const) {
      const state = withWorld(fleeting(applyPatch(smallTeam, patch)));
      const written = sandboxFormat().writeBase(state);
      expect(written.parts.size).to.equal(parts);
      expect(plainState(await sandboxFormat().readBase(written.text, partsOf(written)))).to.deep.equal(
        plainState(state),
      );
    }
    const grown = withWorld(applyPatch(smallTeam, much));
    const less = withWorld(smallTeam, begin({ ...origin, world: grown.world })); // its loss is small to write
    expect(sandboxFormat().writeBase(less).parts.size).to.equal(1);
  });

  it('is written once if snapshots share it', () => {
    const walk = new Walk(origin);
    const keep = (name: string) => walk.change({ type: 'snapshot-kept', name, of: walk.version, at: walk.time });
    walk.patch({ pages: { '65701': { body: 'NAME '.repeat(4000) } } });
    for (let i = 0; i < 50; i += 1) keep(`s${i}`);
    const { text, parts } = sandboxFormat().writeBase(walk.state);
    expect(parts.size).to.equal(2);
    expect(text).to.have.length.below(7000);
  });

  it('is the very same object for all readers in a process, loaded once', async () => {
    const [writer, reader] = [sandboxFormat(), sandboxFormat()];
    const written = writer.writeBase(begun);
    const text = written.parts.values().next().value?.() ?? '';
    let asked = 0;
    let answer = (_: string) => {};
    const coming = new Promise<string>(resolve => {
      answer = resolve;
    });
    const part = () => {
      asked += 1;
      return coming;
    };
    const together = [1, 2, 3].map(() => reader.readBase(written.text, part));
    await new Promise(resolve => setImmediate(resolve));
    answer(text);
    const states = await Promise.all(together);
    const later = await reader.readBase(written.text, never);
    expect(asked).to.equal(1);
    for (const { world, origin: from } of [...states, later])
      expect(world === states[0]?.world && world === from.world).to.equal(true);
    expect((await writer.readBase(written.text, never)).world).to.equal(smallTeam);
    expect(reader.writeBase(later).text).to.equal(written.text);
  });

  it('is loaded again after a failure', async () => {
    const [writer, reader] = [sandboxFormat(), sandboxFormat()];
    const written = writer.writeBase(begun);
    const failure = await Promise.resolve(
      reader.readBase(written.text, () => Promise.reject(new StoreError('away', 'gone'))),
    ).catch(error => error);
    expect(failure).to.be.instanceOf(StoreError).and.to.have.property('failure', 'away');
    expect((await reader.readBase(written.text, partsOf(written))).origin.scenario).to.equal('small-team');
  });

  it('works for every shipped fixture and every shipped scenario', async function () {
    this.timeout(60_000);
    const folders = defaultFolders(packageRoot());
    const names = new Set([...listScenarios(folders), ...listFixtures(folders)].map(({ name }) => name));
    expect(names).to.include('large').and.to.include('empty').and.to.include('small-team');
    for (const name of names) {
      const loaded = loadNamed(name, folders);
      if (isProblems(loaded)) return expect.fail(JSON.stringify(loaded));
      const state = begin(loaded.origin);
      const written = sandboxFormat().writeBase(state);
      const again = await sandboxFormat().readBase(written.text, partsOf(written));
      expect({ ...again, world: 0, origin: { ...again.origin, world: 0 } }).to.deep.equal({
        ...state,
        world: 0,
        origin: { ...state.origin, world: 0 },
      });
      expect(sandboxFormat().writeBase(again).text, name).to.equal(written.text); // the name of the part is that of its contents
      if (state.world.pages.size < 1000) expect(plainWorld(again.world)).to.deep.equal(plainWorld(state.world));
      expect(again.world === again.origin.world).to.equal(true);
    }
  });
});
