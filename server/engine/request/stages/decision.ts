// The stages `access` and `decide`: whether the caller may call the operation, and the operation's own check and decision.

import { canonicalPrefix } from '../../../operations/address.js';
import type { GapId } from '../../../operations/gaps/gaps.js';
import type { OperationInput } from '../../../operations/operation.js';
import { type Decision, OperationContext, type ReplyValue } from '../../../operations/operation-context.js';
import type { Provenance } from '../../../operations/provenance.js';
import type { RefusalCode } from '../../../operations/refusals.js';
import { elsewhere, type RestResource } from '../../../operations/rest-api/resource.js';
import { type CallerProgress, everyOperation, isResource, type Stage } from '../stage.js';
import { body } from './json-body.js';
import { expand, query } from './query.js';

const nothing: Readonly<Record<string, never>> = Object.freeze({});

export const accessStage: Stage = {
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
    const denied = check(new OperationContext(context.world, undefined, caller, context.now, given));
    if (denied === undefined || order === undefined) return denied;
    const unchecked = given.without(Object.keys(operation.access.rules));
    // For a request that is neither permitted nor valid, a gap says which counts, so check whether it is valid.
    const invalid =
      expand.run(progress, unchecked) ??
      query.run(progress, unchecked) ??
      body.run(progress, unchecked) ??
      (isResource(operation) ? undefined : operation.check?.(contextOf(progress, unchecked)));
    given.consider(unchecked);
    if (invalid === undefined || given.reading(order.gap) === order.first) return denied;
    given.become(unchecked);
    return invalid;
  },
};

export const decideStage: Stage = {
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
  run(progress: CallerProgress, given) {
    const { operation } = progress;
    if (isResource(operation)) return decideOnResource(operation, progress, given);
    const asked = contextOf(progress, given);
    return operation.check?.(asked) ?? operation.decide(asked);
  },
};

function contextOf({ request, context, caller, query, body }: CallerProgress, given: Provenance) {
  const { address, prefix = '' } = request;
  const sandbox = address?.sandbox === undefined ? '' : `/~${address.sandbox}`;
  const input = { params: request.params ?? nothing, query, body } as OperationInput<never, never, never>; // validated against the operation's own schemas
  return new OperationContext<typeof input, string, RefusalCode, GapId, ReplyValue>(
    context.world,
    input,
    caller,
    context.now,
    given,
    address === undefined ? '' : `${prefix}${sandbox}${address.context}`,
  );
}

function decideOnResource(
  resource: RestResource,
  { request, context, caller, query, body, wanted }: CallerProgress,
  given: Provenance,
): Decision {
  const input = { params: request.params ?? nothing, query, body } as OperationInput<never, never, never>; // the stages have validated them
  const general = new OperationContext<typeof input, never, RefusalCode, 'name-case', ReplyValue>(
    context.world,
    input,
    caller,
    context.now,
    given,
  );
  const parts = request.resource ?? elsewhere;
  const path = `${canonicalPrefix(resource.family)}${request.address?.rest ?? ''}`;
  const place = { base: parts.base, path, query: request.query.pairs };
  return resource.decide(Object.assign(general, { request: parts, base: parts.base, wanted, place }));
}
