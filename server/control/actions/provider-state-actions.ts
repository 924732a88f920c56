// The actions on provider states, as a Pact verifier asks for them before each interaction: list them, bring one about, end it. A problem has
// a status below 500, since a verifier would ask again for two minutes.
import { described, type JsonSchema } from '../../operations/schema.js';
import { listStates } from '../../scenario/states/listed-states.js';
import type { StateProblem } from '../../scenario/states/provider-setup.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import { paramsFromText } from '../../scenario/states/state-text.js';
import { type Action, ActionProblem, type Call, withProblems } from '../action.js';

const action: JsonSchema = { enum: ['setup', 'teardown'], description: 'Left out, setup.' };
const state: JsonSchema = {
  type: 'string',
  description:
    'A scenario or a fixture by its name, one of the states with parameters, or nothing: the scenario of the server.',
};
const requestSchema: JsonSchema = {
  type: 'object',
  description: 'What a verifier sends; it may send more.',
  properties: {
    action,
    state,
    params: { description: 'The parameters of the state, an object.' }, // held against the state by its setup, which is to hear of what fails
  },
};
const named = (...names: string[]): JsonSchema => ({
  type: 'array',
  items: { type: 'object', required: names, properties: Object.fromEntries(names.map(name => [name, {}])) },
});

export const listingStates = {
  id: 'provider-states.list',
  method: 'GET',
  path: '/provider-states',
  summary: 'The provider states: scenarios and fixtures by name, and those that add to a world, with their parameters',
  inSandbox: true,
  isUnwatched: true,
  replies: {
    200: {
      description: 'Those that begin a world, and those that add to one.',
      schema: {
        type: 'object',
        required: ['scenarios', 'fixtures', 'states'],
        properties: {
          scenarios: named('name', 'title'),
          fixtures: named('name', 'title'),
          states: named('name', 'says', 'params', 'gives'),
        },
      },
    },
  },
  run: async (_, { folders }) => listStates(folders),
} satisfies Action;

export const changingState: Action<StateValues, Partial<StateChange>> = {
  id: 'provider-states.change',
  method: 'POST',
  path: '/provider-states',
  summary:
    'Bring a provider state about in the sandbox that the path (`/~name/_fake/v1/provider-states`) or the header X-Fake-Sandbox names, or end it. A setup after any request to an operation, a teardown or a failed setup begins a new world; consecutive setups add up. Without a body, the query says the same',
  query: { action, state },
  anyQuery: true,
  inSandbox: true,
  isUnwatched: true,
  body: described(requestSchema),
  bodyOptional: true,
  replies: {
    200: {
      description: 'It is so; with the values of the state, for `fromProviderState`.',
      schema: { type: 'object' },
    },
    404: { description: 'There is no such state; the nearest is named.' },
  },
  run: async (call, { setups }) => {
    const asked = askedIn(call);
    if (asked === undefined) return noState();
    const setup = setups.of(call.sandbox);
    if (asked.action === 'teardown' || 'problems' in asked) await setup.tearDown();
    if (asked.action === 'teardown') return {};
    const done = 'problems' in asked ? asked : await setup.setUp(asked.state, asked.params);
    if ('values' in done) return done.values;
    return 'isUnknown' in done
      ? withProblems(404, 'There is no such state', done.problems)
      : withProblems(400, 'The state cannot be', done.problems);
  },
};

interface StateChange {
  readonly action?: 'setup' | 'teardown';
  readonly state: string;
  readonly params?: unknown;
}

/** Parameters of the query that cannot be what they should. */
interface Unreadable {
  readonly action?: 'setup' | 'teardown';
  readonly problems: readonly StateProblem[];
}

/** What is asked: by the body, or by the query where the body says nothing of a state. */
function askedIn({ body: told, query, pairs }: Call<Partial<StateChange>>): StateChange | Unreadable | undefined {
  if (told.state !== undefined) return { ...told, state: told.state };
  const { action: what = 'setup', state: name } = query as Partial<StateChange>; // as their schemas say
  if (name === undefined || told.action !== undefined || told.params !== undefined) return undefined;
  const many = pairs.filter(([other]) => other === 'state').length;
  if (many > 1) return { problems: [{ message: `state comes ${many} times in the query: ask once for each.` }] };
  const given = pairs.filter(([other]) => other !== 'action' && other !== 'state');
  return { action: what, state: name, ...paramsFromText(name, given) };
}

function noState(): ActionProblem {
  return new ActionProblem(
    400,
    'No state is named',
    'Send {"action": "setup", "state": "user exists", "params": {"name": "bob"}} as JSON, or action=setup&state=user+exists&name=bob as the query without a body; the empty state is the scenario of the server.',
  );
}
