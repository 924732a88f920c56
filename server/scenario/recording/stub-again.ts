// The stub that answered a recorded request: for a step that adds it for itself only, without its trigger.
import type { Stub } from '../../engine/faults/stub.js';
import { stubMatching } from './forwarded-stub.js';
import type { Replayed } from './replay.js';

/** The stub of a step; `undefined`: none has answered. */
export function stubAgain({ entry, before, result }: Replayed): Stub | undefined {
  const given = result.stub && before.stubs[Number.parseInt(result.stub.name, 10) - 1]?.given;
  if (given === undefined) return undefined;
  const { status, headers, body } = given;
  return {
    ...stubMatching(entry),
    ...(status !== undefined && { status }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
  };
}
