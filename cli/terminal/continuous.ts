// Plays runs from start to end, one after the other.
import type { Player } from '../../server/scenario/play/player.js';
import type { Results } from '../../server/scenario/play/results.js';
import type { Run } from '../../server/scenario/play/runs.js';
import type { PlayView } from './views.js';

/** The runs to play and the view that shows them. */
export interface Play {
  readonly runs: readonly Run[];
  playerFor(run: Run): Player;
  readonly stage: PlayView;
  readonly results: Results;
}

/** Plays everything. `between` is awaited between any two steps; if `isOver`, nothing more is played. */
export async function playStraight(
  { runs, playerFor, stage, results }: Play,
  between: () => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  let isFirst = true;
  for (const [i, run] of runs.entries()) {
    if (isOver()) return;
    results.begins(run);
    stage.begins(run, { nth: i + 1, of: runs.length });
    const player = playerFor(run);
    if (run.loaded.steps.length > 0) await player.begin();
    for (const index of run.loaded.steps.keys()) {
      if (!isFirst) await between();
      if (isOver()) return;
      isFirst = false;
      const played = await player.play(index);
      results.add(run, played);
      stage.shows(run, played);
    }
  }
}
