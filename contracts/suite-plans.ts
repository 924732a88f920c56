// What the suites of rules and gaps change on a server, found out here so that conform and calibrate need not.

import { inWorld, loadProbes } from '../server/remote/calibrate/probes.js';
import { simulated } from '../server/remote/changes/plan.js';
import { planKey, type WrittenPlan, writtenPlan } from '../server/remote/changes/shipped-plans.js';
import { ruleIds, suiteFor } from '../server/remote/conform/suite.js';
import { mapped } from '../server/remote/names/mapped-steps.js';
import { NamesThere } from '../server/remote/names/name-map.js';
import type { Folders } from '../server/scenario/load/folders.js';
import { loadNamed } from '../server/scenario/load/load.js';
import { isProblems, type Problems, showProblem } from '../server/scenario/yaml/problem.js';
import { DEFAULT_SCENARIO } from '../server/settings.js';

/** A name that stands nowhere else. */
const RUN = 'QZ7XQZ';

/** By what a plan is known by. Each file is planned as it is played. Throws if a file has problems. */
export async function suitePlans(folders: Folders): Promise<Readonly<Record<string, WrittenPlan>>> {
  const { origin } = sound(loadNamed(DEFAULT_SCENARIO, folders));
  const { world } = origin;
  const names = new NamesThere(world);
  const stories = [...sound(suiteFor(ruleIds, folders)), ...inWorld(sound(loadProbes(folders)), world)]
    .map(written => ({ written, mapped: mapped(written, names) }))
    .filter(story => story.mapped.reasons.size === 0);
  const planned = sound(await simulated(stories, RUN));
  return Object.fromEntries(planned.map(one => [planKey(one.written), writtenPlan(one, RUN)]));
}

function sound<T extends object>(made: T | Problems): T {
  if (isProblems(made)) throw new Error(made.problems.map(showProblem).join('\n'));
  return made;
}
