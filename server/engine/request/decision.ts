// The stages `access` and `decide`: whether the caller may call the operation, and what the operation decides.
import type { RefusalCode } from '../../domain/refusals.js';
import type { GapId } from '../../operations/gaps.js';
import type { Input } from '../../operations/operation.js';
import { OperationContext, type ReplyValue } from '../../operations/operation-context.js';
import { body } from './json-body.js';
import { query } from './query.js';
import { type CallerProgress, everyOperation, type Stage } from './stage.js';

const nothing: Readonly<Record<string, never>> = Object.freeze({});

export const access: Stage = {
  name: 'access',
  steps: [
    {
      name: 'access',
      concerns: everyOperation,
      refusals: operation => operation.access.refusals,
      gaps: operation => operation.access.gaps,
      rules: operation => Object.keys(operation.access.rules),
      isSpecific: true,
    },
  ],
  run(progress: CallerProgress, given) {
    const { operation, context, caller } = progress;
    const { check, order } = operation.access;
    const unchecked = order === undefined ? undefined : given.branch();
    const denied = check(new OperationContext(context.world, undefined, caller, context.now, given));
    if (denied === undefined || order === undefined || unchecked === undefined) return denied;
    // Of a request that is neither permitted nor valid a gap says which of the two counts: see whether it is valid.
    const invalid = query.run(progress, unchecked) ?? body.run(progress, unchecked);
    if (invalid === undefined) return denied;
    if (given.reading(order) === '403-first') return denied;
    unchecked.reading(order);
    given.become(unchecked);
    return invalid;
  },
};

export const decide: Stage = {
  name: 'decide',
  steps: [
    {
      name: 'decision',
      concerns: everyOperation,
      refusals: operation => operation.refusals,
      gaps: operation => operation.gaps,
      rules: operation => Object.keys(operation.rules),
      isSpecific: true,
    },
  ],
  run({ operation, request, context, caller, query, body }: CallerProgress, given) {
    const input = { params: request.params ?? nothing, query, body } as Input<never, never, never>; // validated against the operation's own schemas
    return operation.decide(
      new OperationContext<Input<never, never, never>, string, RefusalCode, GapId, ReplyValue>(
        context.world,
        input,
        caller,
        context.now,
        given,
      ),
    );
  },
};
