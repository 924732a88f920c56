// How a run on a server that is not ours begins: somebody answers, and whoever runs it agrees to what will change.
// Until then nothing is sent but one request that changes nothing.
import type { Target } from '../../scenario/play/target.js';
import { Unreachable } from '../../scenario/play/target.js';
import type { NamesThere } from '../names/name-map.js';
import { each } from './changes.js';
import { consent, type Desk } from './consent.js';
import type { Planned } from './plan.js';
import { showPlan } from './render-changes.js';

/** Why a run does not begin, and what that means for whoever started it. */
export interface NotBegun {
  readonly because: 'unreachable' | 'refused' | 'not asked';
  readonly says: string;
}

export async function begin(
  planned: readonly Planned[],
  target: Target,
  { names, isConsentGiven }: { readonly names: NamesThere; readonly isConsentGiven: boolean },
  desk: Desk,
): Promise<NotBegun | undefined> {
  try {
    await target.send({ method: 'GET', path: `${target.context}/`, headers: {} });
  } catch (error) {
    if (error instanceof Unreachable) return { because: 'unreachable', says: error.message };
    throw error;
  }
  const plan = showPlan(each(planned.flatMap(({ changes }) => changes.flat())), names);
  const answer = await consent(plan, `${target.url}${target.context}`, isConsentGiven, desk);
  if (answer === 'given') return undefined;
  if (answer === 'refused') return { because: 'refused', says: 'Nothing was changed.' };
  return {
    because: 'not asked',
    says: 'There is no terminal to ask on, so nothing was changed: --yes says that it may be.',
  };
}
