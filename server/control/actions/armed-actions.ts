// The actions on the faults and stubs of a sandbox: list, arm, clear; and release what a fault holds.
import * as Type from '@sinclair/typebox';
import type { Path } from '../../domain/json/json-pointer.js';
import { type Armable, type Armed, arm, type FireCounts, MAX_ARMED, shown } from '../../engine/faults/armed.js';
import { type Fault, faultSchema, holdName } from '../../engine/faults/fault.js';
import { type Stub, stubSchema } from '../../engine/faults/stub.js';
import { nearest } from '../../engine/nearest.js';
import type { Change, State } from '../../engine/sandbox/state.js';
import { boolean, described, fields, integer, type JsonSchema } from '../../operations/schema.js';
import { type ArmingContext, faultErrors, stubErrors } from '../../scenario/checks/step-checks.js';
import { located, MAX_PROBLEMS, type ValidationError, type ValueError } from '../../scenario/yaml/problem.js';
import { ActionProblem, change, onSandbox, withProblems } from './action.js';
import type { ControlContext } from './control-context.js';

type ListName = 'faults' | 'stubs';

/** One of the two lists of a sandbox. */
interface List<K extends ListName, A extends Armable> {
  readonly name: K;
  /** For messages: one element. */
  readonly one: string;
  readonly schema: JsonSchema;
  /** Title of the list in the OpenAPI document. */
  readonly title: string;
  readonly summaries: Readonly<Record<'list' | 'set' | 'clear', string>>;
  readonly fired: string;
  /** The responses that it holds at the moment. */
  readonly waiting?: { readonly schema: JsonSchema; in(sandbox: string, context: ControlContext): readonly object[] };
  of(state: State): readonly Armed<A>[];
  change(all: readonly Armed<A>[]): Change;
  readonly errors: (one: A, at: Path, against: ArmingContext) => readonly ValueError[];
}

type Shown<K extends string, A extends Armable> = Readonly<Record<K, readonly (A & FireCounts)[]>>;

/** The actions on one of the lists. */
function actionsOn<K extends ListName, A extends Armable>(list: List<K, A>) {
  const actions = new ListActions(list);
  return { listing: actions.listing(), setting: actions.setting(), clearing: actions.clearing() };
}

class ListActions<K extends ListName, A extends Armable> {
  constructor(private readonly list: List<K, A>) {}

  listing() {
    const { name, summaries } = this.list;
    return onSandbox<Shown<K, A>, unknown>({
      id: `${name}.list`,
      method: 'GET',
      path: `/sandboxes/{s}/${name}`,
      summary: summaries.list,
      replies: [{ status: 200, when: `The ${name}.`, body: this.#bodySchema }],
      run: async (sandbox, _, context) => this.#output(this.list.of(sandbox.state), sandbox.name, context),
    });
  }

  setting() {
    const { name, schema, summaries } = this.list;
    const description = `The ${name} in order.`;
    const given = described<readonly A[]>({ type: 'array', items: schema, maxItems: MAX_ARMED, description });
    const append = boolean(`Append to the existing ${name}. Default: false, which replaces them.`);
    return onSandbox<Shown<K, A>, Readonly<Record<K, readonly A[]>> & { readonly append?: boolean }>({
      id: `${name}.set`,
      method: 'PUT',
      path: `/sandboxes/{s}/${name}`,
      summary: summaries.set,
      body: { schema: described({ ...fields({ [name]: given }, { append }) }) },
      replies: [{ status: 200, when: `The ${name} of the sandbox.`, body: this.#bodySchema }],
      furtherErrors: async (body, sandbox, { session, folders: { restApi } }) =>
        this.#firstErrors(body[name] ?? [], { world: session.sandboxes.peek(sandbox)?.state.world, restApi }),
      run: async (sandbox, { body: { [name]: all, append: isAppended = false } }, context) => {
        const errors = this.#firstErrors(all, { world: sandbox.state.world, restApi: context.folders.restApi });
        if (errors.length > 0) throw withProblems(422, `Invalid ${name}`, errors);
        const { result } = await change(sandbox, context, ({ state }) => {
          const armed = [...(isAppended ? this.list.of(state) : []), ...arm(all)];
          if (armed.length <= MAX_ARMED) return { changes: [this.list.change(armed)], result: armed };
          const message = `A sandbox can have at most ${MAX_ARMED} ${name}, but this request would make ${armed.length}.`;
          throw withProblems(422, `Too many ${name}`, [{ message }]);
        });
        return this.#output(result, sandbox.name, context);
      },
    });
  }

  clearing() {
    const { name, one, summaries } = this.list;
    return onSandbox<Shown<K, A>, unknown>({
      id: `${name}.clear`,
      method: 'DELETE',
      path: `/sandboxes/{s}/${name}`,
      summary: summaries.clear,
      query: {
        number: { ...integer(`Only the ${one} with this number in the list; the first is 1.`), minimum: 1 },
      },
      replies: [
        { status: 200, when: `Cleared. The remaining ${name}.`, body: this.#bodySchema },
        { status: 404, when: `There is no ${one} with this number.` },
      ],
      run: async (sandbox, { query: { number } }, context) => {
        const { result } = await change(sandbox, context, ({ state }) => {
          const present = this.list.of(state);
          if (number !== undefined && Number(number) > present.length)
            throw new ActionProblem(404, `No such ${one}`, `This sandbox has no ${one} with the number ${number}.`);
          const left = number === undefined ? [] : present.filter((_, i) => i + 1 !== Number(number));
          return { changes: [this.list.change(left)], result: left };
        });
        return this.#output(result, sandbox.name, context);
      },
    });
  }

  get #bodySchema(): JsonSchema {
    const { name, title, fired, waiting } = this.list;
    const counts = { matched: integer('Number of matching requests.'), fired: integer(fired) };
    const items = { type: 'object', required: ['matched', 'fired'], properties: counts };
    const description = `The ${name} in order, each with its counts.`;
    const properties = { [name]: { type: 'array', items, description }, ...(waiting && { waiting: waiting.schema }) };
    return { title, type: 'object', properties };
  }

  #output(armed: readonly Armed<A>[], sandbox: string, context: ControlContext): Shown<K, A> {
    const held = this.list.waiting?.in(sandbox, context) ?? [];
    const output = { [this.list.name]: armed.map(shown), ...(held.length > 0 && { waiting: held }) };
    return output as object as Shown<K, A>; // its only list of this kind
  }

  /** Without a world any caller may be in it. */
  #firstErrors(given: readonly A[], against: ArmingContext): readonly ValidationError[] {
    const { name, errors } = this.list;
    const found: ValidationError[] = [];
    for (const [i, element] of given.entries()) {
      if (found.length >= MAX_PROBLEMS) break;
      found.push(...errors(element, [name, i], against).map(located));
    }
    return found;
  }
}

export const faultActions = actionsOn<'faults', Fault>({
  name: 'faults',
  one: 'fault',
  schema: faultSchema,
  title: 'ArmedFaults',
  summaries: {
    list: 'List the faults',
    set: 'Replace the faults, or append to them',
    clear: 'Clear all faults, or only one',
  },
  fired: 'Number of responses that the fault affected.',
  waiting: {
    schema: Type.Array(
      Type.Object({
        hold: Type.String({ description: 'The name of the hold.' }),
        entry: Type.Integer({ description: 'The journal entry of the request.' }),
      }),
      { description: 'The responses that this server holds, oldest first. Absent: none.' },
    ),
    in: (sandbox, { holds }) => holds.waiting(sandbox),
  },
  of: ({ faults }) => faults,
  change: faults => ({ type: 'faults-set', faults }),
  errors: faultErrors,
});

export const stubActions = actionsOn<'stubs', Stub>({
  name: 'stubs',
  one: 'stub',
  schema: stubSchema,
  title: 'ArmedStubs',
  summaries: {
    list: 'List the stubs',
    set: 'Replace the stubs, or append to them. A stub responds to requests that the fake does not model',
    clear: 'Clear all stubs, or only one',
  },
  fired: 'Number of requests that the stub responded to.',
  of: ({ stubs }) => stubs,
  change: stubs => ({ type: 'stubs-set', stubs }),
  errors: stubErrors,
});

export const releasingHold = onSandbox({
  id: 'faults.release',
  method: 'POST',
  path: '/sandboxes/{s}/faults/release',
  summary: 'Release the responses that a fault holds',
  body: { schema: fields({ hold: described<string>({ ...holdName }) }, {}) },
  replies: [
    {
      status: 200,
      when: 'Released. Later responses are held again.',
      body: Type.Object(
        { released: Type.Integer({ description: 'Number of responses that were waiting on this server.' }) },
        { title: 'Released' },
      ),
    },
    { status: 404, when: 'No fault has a hold of this name, and no response is waiting for it.' },
  ],
  run: async ({ name, state: { faults } }, { body: { hold } }, { holds }) => {
    const known = [
      ...faults.flatMap(({ given }) => given.effect.hold ?? []),
      ...holds.waiting(name).map(held => held.hold),
    ];
    if (known.includes(hold)) return { released: holds.release(name, hold) };
    const detail = `No fault in this sandbox has a hold named ${JSON.stringify(hold)}${nearest(hold, known)}.`;
    throw new ActionProblem(404, 'No such hold', detail);
  },
});
