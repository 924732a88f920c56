// The sandbox that a control request names. Asking for one never makes one, except `default`, which is always there.
import { nearest } from '../../engine/nearest.js';
import type { Sandbox } from '../../engine/sandbox/sandbox.js';
import type { Session } from '../../engine/sandbox/session.js';
import { type Call, type ControlAnswer, problem } from './endpoint.js';

/** In step with all that other servers on the same store have done in it. */
export function sandboxOf({ params }: Call, session: Session): Promise<Sandbox | undefined> {
  return session.latest(params.s ?? '');
}

export function noSandbox({ params }: Call, session: Session): ControlAnswer {
  const name = params.s ?? '';
  const names = session.list().map(sandbox => sandbox.name);
  return problem(
    404,
    'No such sandbox',
    `There is no sandbox ${JSON.stringify(name.slice(0, 80))}${nearest(name, names)}.`,
  );
}
