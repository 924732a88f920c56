// The provider states that a Pact verifier asks for before each interaction: lists them, brings them about, ends them. Answers nothing from 500 on
// by itself, since a verifier would ask again for two minutes.
import type { JsonSchema } from '../../operations/schema.js';
import { listStates } from '../../scenario/states/listed-states.js';
import type { StateProblem } from '../../scenario/states/provider-setup.js';
import { paramsFromText } from '../../scenario/states/state-text.js';
import { type Call, type ControlAnswer, type ControlEndpoint, type Controlled, problem } from './endpoint.js';

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

export const providerStateEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'list-provider-states',
    method: 'GET',
    path: '/provider-states',
    summary:
      'The provider states: scenarios and fixtures by name, and those that add to a world, with their parameters',
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
    handle: async (_, { folders }) => ({ status: 200, body: listStates(folders) }),
  },
  {
    id: 'change-provider-state',
    method: 'POST',
    path: '/provider-states',
    summary:
      'Bring a provider state about in the sandbox that the path (`/~name/_fake/v1/provider-states`) or the header X-Fake-Sandbox names, or end it. A setup after any request to an operation, a teardown or a failed setup begins a new world; consecutive setups add up. Without a body, the query says the same',
    query: { action, state },
    anyQuery: true,
    inSandbox: true,
    isUnwatched: true,
    body: requestSchema,
    bodyOptional: true,
    replies: {
      200: {
        description: 'It is so; with the values of the state, for `fromProviderState`.',
        schema: { type: 'object' },
      },
      404: { description: 'There is no such state; the nearest is named.' },
    },
    handle: change,
  },
];

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

async function change(call: Call, { setups }: Controlled): Promise<ControlAnswer> {
  const asked = askedIn(call);
  if (asked === undefined) return noState();
  const setup = setups.of(call.sandbox);
  if (asked.action === 'teardown' || 'problems' in asked) await setup.tearDown();
  if (asked.action === 'teardown') return { status: 200, body: {} };
  const done = 'problems' in asked ? asked : await setup.setUp(asked.state, asked.params);
  if ('values' in done) return { status: 200, body: done.values };
  return 'isUnknown' in done
    ? refusal(404, 'There is no such state', done.problems)
    : refusal(400, 'The state cannot be', done.problems);
}

/** What is asked: by the body, or by the query where the body says nothing of a state. */
function askedIn({ body, query, pairs }: Call): StateChange | Unreadable | undefined {
  const told = body as Partial<StateChange>; // as its schema says
  if (told.state !== undefined) return { ...told, state: told.state };
  const { action: what = 'setup', state: name } = query as Partial<StateChange>; // as their schemas say
  if (name === undefined || told.action !== undefined || told.params !== undefined) return undefined;
  const many = pairs.filter(([other]) => other === 'state').length;
  if (many > 1) return { problems: [{ message: `state comes ${many} times in the query: ask once for each.` }] };
  const given = pairs.filter(([other]) => other !== 'action' && other !== 'state');
  return { action: what, state: name, ...paramsFromText(name, given) };
}

function noState(): ControlAnswer {
  return problem(
    400,
    'No state is named',
    'Send {"action": "setup", "state": "user exists", "params": {"name": "bob"}} as JSON, or action=setup&state=user+exists&name=bob as the query without a body; the empty state is the scenario of the server.',
  );
}

function refusal(status: number, title: string, problems: readonly StateProblem[]): ControlAnswer {
  const detail = problems.map(({ pointer = '', message }) =>
    message.startsWith(pointer) ? message : `${pointer} ${message}`,
  );
  return problem(status, title, detail.join('\n'), problems);
}
