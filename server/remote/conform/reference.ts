// What the suite says of a server that keeps every rule, and of one on which nothing comes of what is asked: two controls for what it says of
// another. A step that does not hold on the first says nothing against a server; what holds on the second as well says nothing for it.
import { rules } from '../../operations/catalog.js';
import type { Step } from '../../scenario/format/step-format.js';
import type { Played } from '../../scenario/play/player.js';
import type { Planned } from '../plan.js';
import { type Likeness, OwnServer } from './own-server.js';
import type { PlayedFile } from './played-file.js';

export interface Controls {
  /** By file the steps that cannot be expected to hold under these readings, where others before them are left out. */
  readonly unsound: ReadonlyMap<string, ReadonlySet<number>>;
  /** The files that would have said the same, had nothing come of the steps that they are about. */
  readonly blind: ReadonlySet<string>;
}

/** Plays the controls that are due: the first where something failed, the second where something is said to have come about. */
export async function controlsOf(
  planned: readonly Planned[],
  files: readonly PlayedFile[],
  likeness: Likeness,
): Promise<Controls> {
  const failed = new Set(files.filter(speaksAgainst).map(({ loaded }) => loaded.files[0]));
  const unsound = new Map<string, ReadonlySet<number>>();
  const blind = new Set<string>();
  const server = await OwnServer.like(likeness);
  try {
    for (const one of planned) {
      const [file = ''] = one.written.files;
      if (failed.has(file))
        unsound.set(file, new Set((await server.play(one)).filter(isFailed).map(({ index }) => index)));
      else if (one.mapped.loaded.steps.some(isToHaveEffect)) {
        const played = await server.play(one, isToHaveEffect);
        if (!played.some(({ step, outcome }) => outcome === 'failed' && step.proves !== undefined)) blind.add(file);
      }
    }
  } finally {
    server.end();
  }
  return { unsound, blind };
}

/** Whether something failed that would speak against a rule: only there it matters what can be expected. */
function speaksAgainst({ played }: PlayedFile): boolean {
  return played.some(({ outcome, step }) => outcome === 'failed' && step.proves !== undefined);
}

/** A step that shows by what the world then holds that something has come about. */
function isToHaveEffect({ proves, then }: Step): boolean {
  return then !== undefined && (proves ?? []).some(rule => rules[rule]?.effect);
}

function isFailed({ outcome }: Played): boolean {
  return outcome === 'failed';
}
