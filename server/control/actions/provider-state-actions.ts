// The actions on provider states that a Pact verifier calls before each interaction: list, set up, tear down. Problems have a status below 500,
// because a verifier retries 5xx for two minutes.
import * as Type from '@sinclair/typebox';
import { described, type JsonSchema } from '../../operations/schema.js';
import { listStates } from '../../scenario/states/listed-states.js';
import { providerStateOf, type StateValues } from '../../scenario/states/provider-states.js';
import { paramsFromText } from '../../scenario/states/state-text.js';
import type { ValidationError } from '../../scenario/yaml/problem.js';
import { type Action, type ActionCall, ActionProblem, withProblems } from './action.js';
import { isLoading } from './opened-source.js';

const action: JsonSchema = { enum: ['setup', 'teardown'], description: 'setup or teardown. Default: setup.' };
const state: JsonSchema = {
  type: 'string',
  description: "Name of a scenario, a fixture, or a state with parameters. Default: the server's scenario.",
};
const requestSchema: JsonSchema = {
  type: 'object',
  description: 'The request of a verifier; further fields are allowed.',
  properties: {
    action,
    state,
    params: { description: 'Parameters of the state, an object.' }, // checked by the state itself, whose error is more precise
  },
};
const any = Type.Unknown();
const titled = Type.Object({ name: any, title: any });

export const listingStates = {
  id: 'provider-states.list',
  method: 'GET',
  path: '/provider-states',
  summary: 'List the provider states: scenarios, fixtures, and states that add to a world, with their parameters',
  inSandbox: true,
  isUnwatched: true,
  replies: [
    {
      status: 200,
      when: 'States that start a new world, and states that add to a world.',
      body: Type.Object({
        scenarios: Type.Array(titled),
        fixtures: Type.Array(titled),
        states: Type.Array(Type.Object({ name: any, says: any, params: any, gives: any })),
      }),
    },
  ],
  run: async (_, { folders }) => listStates(folders),
} satisfies Action;

export const changingState: Action<StateValues, Partial<StateChange>> = {
  id: 'provider-states.change',
  method: 'POST',
  path: '/provider-states',
  summary:
    'Set up or tear down a provider state in a sandbox. Over HTTP, the path (`/~name/_fake/v1/provider-states`) or the header X-Fake-Sandbox names the sandbox. A setup starts a new world if the previous call was a teardown, a failed setup, or a request to an operation; consecutive setups add to the same world. Over HTTP, the fields can also be query parameters',
  query: { action, state },
  anyQuery: true,
  inSandbox: true,
  isUnwatched: true,
  body: { schema: described(requestSchema), isOptional: true },
  replies: [
    {
      status: 200,
      when: 'Done. The body has the values of the state for `fromProviderState`.',
      body: { type: 'object' },
    },
    { status: 404, when: 'Unknown state. The detail names the nearest one.' },
  ],
  isHeavy: ({ body }, context) => {
    const { state: scenario } = body as Partial<StateChange>;
    return typeof scenario === 'string' && providerStateOf(scenario) === undefined && isLoading({ scenario }, context);
  },
  run: async (call, { setups }) => {
    const asked = askedIn(call);
    if (asked === undefined) throw noState();
    const setup = setups.of(call.sandbox);
    if (asked.action === 'teardown' || 'problems' in asked) await setup.tearDown();
    if (asked.action === 'teardown') return {};
    const done = 'problems' in asked ? asked : await setup.setUp(asked.state, asked.params);
    if ('values' in done) return done.values;
    throw 'isUnknown' in done
      ? withProblems(404, 'No such state', done.problems)
      : withProblems(400, 'The state cannot be set up', done.problems);
  },
};

interface StateChange {
  readonly action?: 'setup' | 'teardown';
  readonly state: string;
  readonly params?: unknown;
}

interface Unreadable {
  readonly action?: 'setup' | 'teardown';
  readonly problems: readonly ValidationError[];
}

/** The input from the body, or from the query if the body names no state. */
function askedIn({ body, query, pairs }: ActionCall<Partial<StateChange>>): StateChange | Unreadable | undefined {
  if (body.state !== undefined) return { ...body, state: body.state };
  const { action: what = 'setup', state: name } = query as Partial<StateChange>; // their schemas have been checked
  if (name === undefined || body.action !== undefined || body.params !== undefined) return undefined;
  const many = pairs.filter(([other]) => other === 'state').length;
  if (many > 1)
    return {
      problems: [{ message: `The parameter "state" is given ${many} times: send one request for each state.` }],
    };
  const given = pairs.filter(([other]) => other !== 'action' && other !== 'state');
  return { action: what, state: name, ...paramsFromText(name, given) };
}

function noState(): ActionProblem {
  return new ActionProblem(
    400,
    'No state given',
    'Send {"action": "setup", "state": "user exists", "params": {"name": "bob"}} as JSON, or action=setup&state=user+exists&name=bob as the query without a body. An empty state stands for the scenario of the server.',
  );
}
