// The scenarios as the suite that mutants have to get past: asked and judged by sources that are as they should be, answered by a mutated fake.
// Knows nothing of mutants.
import { dirname } from 'node:path';
import { formOf } from '../../../server/domain/form/form.js';
import type { World } from '../../../server/domain/world.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { defaultFolders } from '../../../server/scenario/load/folders.js';
import { loadScenario } from '../../../server/scenario/load/load.js';
import type { Loaded } from '../../../server/scenario/load/story.js';
import { Player } from '../../../server/scenario/play/player.js';
import type { SandboxControl, Target } from '../../../server/scenario/play/target.js';
import { isProblems, type Problems, showProblem } from '../../../server/scenario/yaml/problem.js';
import type * as Subject from './subject.js';
import type { Suite } from './worker.js';

/** One scenario under some readings. */
interface Piece {
  readonly loaded: Loaded;
  readonly readings: SomeReadings;
  /** The first file that makes the same world. */
  readonly world: string;
}

/** A suite of scenario files. What asks about a gap is played under each reading that it speaks of. */
export function open(files: readonly string[]): Suite<typeof Subject> {
  const worlds = new Map<string, string>();
  const pieces = new Map(files.flatMap(file => piecesOf(file, worlds)));
  const fakes = new WeakMap<typeof Subject, Promise<Fake>>();
  const fakeOf = (subject: typeof Subject): Promise<Fake> => {
    const fake = fakes.get(subject) ?? Fake.of(subject);
    fakes.set(subject, fake);
    return fake;
  };
  return {
    names: [...pieces.keys()],
    async failure(name, subject) {
      const piece = pieces.get(name);
      if (piece === undefined) throw new RangeError(`no scenario ${name}`);
      const target = (await fakeOf(subject)).targetFrom(piece.world);
      const player = new Player(piece.loaded, target, { readings: piece.readings });
      for await (const { outcome, line, differences } of player.all()) {
        if (outcome === 'failed')
          return `line ${line}: ${differences.map(({ of, says }) => `${of} ${says}`).join('; ')}`;
      }
      return undefined;
    },
  };
}

function piecesOf(file: string, worlds: Map<string, string>): Array<readonly [string, Piece]> {
  const loaded = whole(loadScenario(file, foldersOf(file)));
  const { gap } = loaded;
  const form = JSON.stringify(formOf(loaded.origin.world));
  const world = worlds.get(form) ?? file;
  worlds.set(form, world);
  const name = file.replace(/\.ya?ml$/, '');
  if (gap === undefined) return [[name, { loaded, world, readings: {} }]];
  const readings = new Set(loaded.steps.flatMap(step => Object.keys(step.for ?? {})));
  return [...readings].map(reading => [`${name} ${gap}=${reading}`, { loaded, world, readings: { [gap]: reading } }]);
}

/** A mutated fake, and the worlds that it has read. */
class Fake {
  readonly #worlds = new Map<string, World>();

  private constructor(
    private readonly subject: typeof Subject,
    private readonly assembled: Parameters<typeof Subject.inProcess>[0],
  ) {}

  static async of(subject: typeof Subject): Promise<Fake> {
    return new Fake(subject, whole(await subject.assemble(subject.settingsFrom(undefined, {}), subject.silentLog)));
  }

  /** A target that begins in the world of a scenario as the mutated fake itself reads it. */
  targetFrom(file: string): Target {
    const target = this.subject.inProcess(this.assembled, 'mutant');
    const { control } = target;
    return control === undefined ? target : { ...target, control: this.#beginning(control, file) };
  }

  #beginning(control: SandboxControl, file: string): SandboxControl {
    return {
      begin: (loaded, readings) =>
        control.begin({ ...loaded, origin: { ...loaded.origin, world: this.#world(file) } }, readings),
      arm: faults => control.arm(faults),
      turn: clock => control.turn(clock),
      choose: readings => control.choose(readings),
      patch: patch => control.patch(patch),
      record: (name, key) => control.record(name, key),
      part: name => control.part(name),
      insight: () => control.insight(),
      end: () => control.end(),
    };
  }

  #world(file: string): World {
    const world = this.#worlds.get(file) ?? whole(this.subject.loadScenario(file, foldersOf(file))).origin.world;
    this.#worlds.set(file, world);
    return world;
  }
}

function foldersOf(file: string) {
  return defaultFolders(dirname(file));
}

function whole<T extends object>(value: T | Problems): T {
  if (isProblems(value)) throw new Error(value.problems.map(showProblem).join('; '));
  return value;
}
