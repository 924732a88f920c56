// Faults that the model knows, so that the result of a request under them is known too.
import type { ModelFault } from '../../model/model.js';
import type { Dice } from '../cases/dice.js';

/** A fault as armed; beyond the model's effect it may change when a response arrives, but not its content. */
export type ArmedFault = ModelFault & {
  readonly effect: ModelFault['effect'] & { readonly delay?: number; readonly dribble?: object };
};

export function faultsBy(dice: Dice): ArmedFault[] {
  return Array.from({ length: dice.between(1, 2) }, () => faultBy(dice));
}

function faultBy(dice: Dice): ArmedFault {
  const about = dice.pick<Pick<ArmedFault, 'operation' | 'path'>>([
    { path: '/rest/*/latest/*/*' },
    { path: '/rest/cwx-ppf/latest/*' },
    { operation: 'groups.add-users' },
    { operation: 'ppf.push' },
    { operation: 'ppf.pull' },
    { operation: 'spaces.replace-in-page' },
  ]);
  const when = dice.pick<ArmedFault['when']>([undefined, { nth: 2 }, { every: 2 }, { first: 3 }]);
  const effect = dice.pick<ArmedFault['effect']>([
    { status: 500 },
    { status: 503, headers: { 'X-A': 'b' } },
    { status: 429, body: { slow: 'down' } },
    { status: 200, body: [] },
    { status: 204 },
    { hangUp: true },
    { truncateAt: 1 },
    { truncateAt: 0 },
    { partial: { succeed: 1 } },
    { delay: 2 },
    { dribble: { bytes: 1, every: 1 } },
  ]);
  return {
    ...('partial' in effect ? { operation: dice.pick(['ppf.push', 'ppf.pull']) } : about), // it is about nothing else
    ...(when !== undefined && { when }),
    ...(dice.in100(30) && { times: dice.between(1, 3) }),
    ...(dice.in100(20) && { caller: 'admin' }),
    phase: dice.pick(['before', 'after'] as const),
    effect,
  };
}
