// Steps of the suite that are needless where the hosts' own resources are read.

import type { Loaded } from '../../scenario/load/story.js';
import { familyOf } from '../target/family.js';
import type { Shown } from '../target/host-view.js';

/** Why a detour is not taken. */
export const SHOWN_BY_THE_WIKI = 'the wiki itself shows who is in the group';

/** Whether a step tells who is in a group by what can be pushed to it, in a file about groups, where the wiki shows the members. */
export function isDetour({ steps }: Loaded, i: number, { wiki }: Shown): boolean {
  const step = steps[i];
  return wiki && step !== undefined && familyOf(step) === 'ppf' && isAboutGroups(steps);
}

const known = new WeakMap<Loaded['steps'], boolean>();

/** A probe is about no rule. */
function isAboutGroups(steps: Loaded['steps']): boolean {
  const found = known.get(steps) ?? provesGroups(steps);
  known.set(steps, found);
  return found;
}

function provesGroups(steps: Loaded['steps']): boolean {
  const proved = steps.flatMap(({ proves = [] }) => proves);
  return proved.length > 0 && proved.every(rule => rule.startsWith('groups.'));
}
