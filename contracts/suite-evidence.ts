// The evidence of scenario suites: plays every scenario of some folders in this process and records which rules and readings really decided a response.

import type { Evidence } from '../server/derive/ledger/ledger.js';
import { silentLog } from '../server/engine/log.js';
import { inProcess } from '../server/library/target/in-process-target.js';
import { isResourceId } from '../server/operations/catalog/catalog.js';
import { readingNames, type SomeReadings } from '../server/operations/gaps/gaps.js';
import { assemble } from '../server/process/server.js';
import { type Folders, namesBeside } from '../server/scenario/files/folders.js';
import { loadNamed } from '../server/scenario/load/load.js';
import type { Loaded } from '../server/scenario/load/load-scenario.js';
import { provedBy } from '../server/scenario/play/compare-result.js';
import { type Played, Player } from '../server/scenario/play/player.js';
import type { Target } from '../server/scenario/play/target.js';
import { isProblems, type Problems, showProblem } from '../server/scenario/yaml/problem.js';
import { settingsFrom } from '../server/settings/settings.js';

const PROVING = 'rules/';
const PROBING = 'gaps/';

/**
 * For each rule, and each reading as `gap=reading`, the scenarios in which a step passed whose response it really decided. A rule needs the step to
 * claim it by `proves` as well, and an injected fault is no evidence. The file about the rule or gap itself comes first, then those of the rules,
 * those of the gaps, and all others, by name. Throws if a scenario has problems.
 */
export async function suiteEvidence(folders: Folders): Promise<Evidence> {
  const names = [PROVING, PROBING, ''].flatMap(place => namesBeside(place && `${place}x`, folders.scenarios));
  const stories = names.map(name => [name, sound(loadNamed(name, folders))] as const);
  const found = new Map<string, Set<string>>();
  await onStage(async target => {
    for (const [name, story] of stories) {
      for (const readings of waysToPlay(story)) {
        for await (const played of new Player(story, target, { readings }).all()) {
          for (const key of evidenceIn(played)) found.set(key, (found.get(key) ?? new Set()).add(name));
        }
      }
      await target.control?.end();
    }
  });
  return Object.fromEntries([...found].map(([key, scenarios]) => [key, ownFirst(key, [...scenarios])]));
}

/** What a step is evidence for: rules by id, and readings as `gap=reading`. */
export function evidenceIn({ outcome, step, insight }: Played): string[] {
  if (outcome !== 'passed' || insight === undefined || insight.fault !== undefined) return [];
  const readings = Object.entries(insight.gaps).map(([gap, reading]) => `${gap}=${reading}`);
  return [...provedBy(step, insight), ...(isResourceId(step.call) ? [] : readings)]; // it rests on no reading
}

/** A probe is played under each reading of its gap. */
function waysToPlay({ gap }: Loaded): SomeReadings[] {
  return gap === undefined ? [{}] : readingNames(gap).map(reading => ({ [gap]: reading }));
}

function ownFirst(key: string, names: readonly string[]): string[] {
  const own = [`${PROVING}${key}`, `${PROBING}${key.split('=', 1)[0]}`];
  return [...names.filter(name => own.includes(name)), ...names.filter(name => !own.includes(name))];
}

/** Gives a sandbox of a fake that exists only for `play`. */
async function onStage(play: (target: Target) => Promise<void>): Promise<void> {
  const fake = sound(await assemble(settingsFrom(undefined, { control: 'off', journal: '1' }), silentLog));
  try {
    await play(inProcess(fake, 'evidence'));
  } finally {
    fake.end();
    await fake.close();
  }
}

function sound<T extends object>(made: T | Problems): T {
  if (isProblems(made)) throw new Error(made.problems.map(showProblem).join('\n'));
  return made;
}
