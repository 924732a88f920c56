// The verbs of the commands for a running fake, such as `clock advance`: derived from the actions, with the arguments that need no field name.
import type { Action } from '../../server/control/actions/action.js';
import { actions } from '../../server/control/actions.js';
import { isObject } from '../../server/domain/form/patch.js';
import { effectSchema, faultSchema } from '../../server/engine/faults/fault.js';
import { stubSchema } from '../../server/engine/faults/stub.js';
import { gapIds, readingNames } from '../../server/operations/gaps/gaps.js';
import type { JsonSchema } from '../../server/operations/schema.js';
import { clockOrderSchema } from '../../server/scenario/checks/clock-format.js';

export interface Verb {
  /** The command, and the verb unless it is implied: `['faults']` lists them. */
  readonly words: readonly [command: string, verb?: string];
  readonly action: Action;
  readonly summary: string;
  /** For each argument without a name the fields that it may be: it is the first one whose schema it fits. */
  readonly positions: ReadonlyArray<readonly string[]>;
  readonly fields: Readonly<Record<string, JsonSchema>>;
  /** Fields that must be given. */
  readonly required: readonly string[];
  /** Of each of these groups, one field must be given. */
  readonly requiredOneOf?: ReadonlyArray<readonly string[]>;
  /** Where the fields are in the body, the deepest place first. Default: in the body itself. */
  readonly places?: readonly string[];
  /** The body of the action. Default: the fields themselves. */
  bodyOf?(fields: Readonly<Record<string, unknown>>): unknown;
}

/** Actions with a command of their own, which needs no running fake or does more. */
const elsewhere = [
  'play',
  'record.read',
  'openapi.read',
  'control-openapi.read',
  'ledger.read',
  'guide.read',
  'events.read',
  'coverage.read',
  'journal.har',
];

/** The words of an action's command: `faults set` for `faults.set`, `faults` for `faults.list`, `reset` for `sandboxes.reset`. */
export function wordsOf({ id }: Pick<Action, 'id'>): Verb['words'] {
  if (id === 'journal.explain') return ['explain'];
  const [family = '', act = ''] = id.split('.');
  const isImplied = act === 'read' || act === 'list' || act === '';
  if (family === 'sandboxes' && !isImplied) return [act];
  return isImplied ? [family] : [family, act];
}

const positions: Readonly<Record<string, Verb['positions']>> = {
  'sandboxes.create': [['name'], ['scenario']],
  'sandboxes.describe': [['sandbox']],
  'sandboxes.replace': [['sandbox'], ['scenario']],
  'sandboxes.drop': [['sandbox']],
  'sandboxes.reset': [['sandbox']],
  'sandboxes.fork': [['name'], ['at']],
  'world.read': [['collection', 'part'], ['containing']],
  'snapshots.keep': [['name']],
  'snapshots.restore': [['name']],
  'snapshots.drop': [['name']],
  'sandboxes.rewind': [['to']],
  'sandboxes.diff': [['from'], ['to']],
  'clock.set': [['set', 'advance']],
  'faults.clear': [['number']],
  'faults.release': [['hold']],
  'stubs.clear': [['number']],
  'journal.read': [['entry', 'operation', 'path']],
  'journal.verify': [['operation', 'path']],
  'journal.explain': [['entry']],
  'provider-states.change': [['state']],
};

/** Verbs for one use of an action each. Without `fields` they only send their own body. */
const further: ReadonlyArray<
  Pick<Verb, 'summary' | 'requiredOneOf' | 'places' | 'bodyOf'> &
    Partial<Pick<Verb, 'positions' | 'fields' | 'required'>> & { readonly of: string; readonly verb: string }
> = [
  {
    of: 'clock.set',
    verb: 'advance',
    summary: 'Advance the clock of a sandbox',
    positions: [['advance']],
    fields: { advance: clockOrderSchema.properties.advance },
    required: ['advance'],
  },
  { of: 'clock.set', verb: 'freeze', summary: 'Freeze the clock of a sandbox', bodyOf: () => ({ freeze: true }) },
  { of: 'clock.set', verb: 'run', summary: 'Let the clock of a sandbox run', bodyOf: () => ({ run: true }) },
  {
    of: 'faults.set',
    verb: 'add',
    summary: 'Add one fault',
    positions: [['operation', 'path']],
    fields: faultFields(),
    requiredOneOf: [Object.keys(faultSchema.properties.effect.properties)],
    places: ['/faults/0/effect', '/faults/0'],
    bodyOf: fields => ({ faults: [faultFrom(fields)], append: true }),
  },
  {
    of: 'stubs.set',
    verb: 'add',
    summary: 'Add one stub',
    positions: [['path']],
    fields: stubSchema.properties,
    required: ['path'],
    places: ['/stubs/0'],
    bodyOf: stub => ({ stubs: [stub], append: true }),
  },
];

export const verbs: readonly Verb[] = actions
  .filter(({ id }) => !elsewhere.includes(id))
  .flatMap(action => [
    verbOf(action),
    ...further
      .filter(({ of }) => of === action.id)
      .map(({ verb, ...rest }) => ({
        ...{ positions: [], fields: {}, required: [], ...rest },
        words: [wordsOf(action)[0], verb] as const,
        action,
      })),
  ]);

/** Command names in the order of the actions. */
export const runningFakeCommands: readonly string[] = [...new Set(verbs.map(({ words }) => words[0]))];

function verbOf(action: Action): Verb {
  const { id, path, query = {}, body, summary } = action;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (name === 's' ? [] : [name]));
  const taken = positions[id] ?? [];
  const inBody = isObject(body?.schema.properties) ? (body.schema.properties as Verb['fields']) : {};
  const required = Array.isArray(body?.schema.required) ? (body.schema.required as readonly string[]) : [];
  return {
    words: wordsOf(action),
    action,
    summary,
    positions: taken,
    fields: {
      ...(taken.flat().includes('sandbox') && { sandbox: { type: 'string', description: 'The sandbox.' } }),
      ...Object.fromEntries(
        inPath.map(name => [
          name,
          { type: 'string', description: `The ${name === 'name' ? 'name of the snapshot' : name}.` },
        ]),
      ),
      ...query,
      ...inBody,
    },
    required: [...inPath, ...required],
  };
}

/** The members of a fault and of its effect side by side. */
function faultFields(): Verb['fields'] {
  const { effect, ...when } = faultSchema.properties;
  return { ...when, ...(effect.properties as Verb['fields']) };
}

function faultFrom(fields: Readonly<Record<string, unknown>>): unknown {
  const isWhen = (name: string) => Object.hasOwn(faultSchema.properties, name);
  const some = (keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => keep(name)));
  return { ...some(isWhen), effect: some(name => !isWhen(name)) };
}

/** Other words for a verb. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  keep: ['create', 'add', 'take', 'save', 'make', 'new'],
  restore: ['load', 'back', 'apply'],
  drop: ['delete', 'remove', 'rm', 'clear'],
  clear: ['delete', 'remove', 'rm', 'drop', 'reset'],
  set: ['change', 'choose', 'put', 'update', 'edit'],
  add: ['create', 'arm', 'new', 'inject'],
  advance: ['forward', 'tick', 'move', 'add'],
  freeze: ['stop', 'pause'],
  run: ['start', 'resume', 'unfreeze'],
  patch: ['set', 'change', 'update', 'edit', 'put'],
  verify: ['check', 'assert', 'expect'],
  change: ['set', 'setup', 'use', 'apply'],
};

/** The verb that a word probably means. */
export function verbMeantBy(word: string, known: readonly string[]): string | undefined {
  return known.find(verb => alsoCalled[verb]?.includes(word.toLowerCase()));
}

/** Arguments whose field has no noun for a name. */
const nouns: Readonly<Record<string, string>> = {
  'clock.set': 'instant',
  'clock.advance': 'duration',
  'rewind.to': 'version',
};

/** How an argument of a command is named in help and messages. */
export function nounOf(field: string, command: string): string {
  return nouns[`${command}.${field}`] ?? field;
}

/** An example of each field that is not a switch, as a person types it. Most actions of a fault have theirs in `fault.ts`. */
const examples: Readonly<Record<string, string>> = {
  action: 'teardown',
  advance: 'PT1H',
  as: 'scenario',
  at: '3',
  body: '{"users":["alice"]}',
  caller: 'carol',
  chance: '0.5',
  clock: '2026-01-05T09:00:00Z',
  collection: 'groups',
  containing: 'customers',
  delay: '500',
  entry: '3',
  faults: '[{"operation":"ppf.push","effect":{"status":503}}]',
  file: 'mine.yaml',
  from: '1',
  gap: 'unknown-user',
  headers: '{"X-Mine":"1"}',
  inOrder: '[{"operation":"ppf.push"},{"operation":"ppf.pull"}]',
  keys: '["65601"]',
  limit: '10',
  match: '{"query":{"kind":"a"}}',
  method: 'POST',
  name: 'job-7',
  'fork.name': 'job-7-copy',
  'snapshots.name': 'before-push',
  number: '2',
  offset: '100',
  operation: 'ppf.push',
  params: '{"name":"bob"}',
  part: '/users/alice',
  path: '/rest/cwx-ppf/latest/push',
  phase: 'after',
  profile: 'strict',
  query: '{"expand":"body"}',
  readings: '{"unknown-user":"400"}',
  rule: 'ppf.push',
  sandbox: 'job-7',
  scenario: 'small-team',
  seed: '7',
  set: '2026-01-05T09:00:00Z',
  since: '12',
  state: 'small-team',
  status: '503',
  'stubs.path': '/rest/webhooks/1.0',
  stubs: '[{"path":"/rest/webhooks/1.0","body":[]}]',
  text: 'title: Mine',
  times: '2',
  to: '4',
  ttl: '60',
  until: '2026-01-05T10:00:00Z',
  when: '{"nth":2}',
};

/** An example value of a field of a command. An action of a fault has its own. */
export function exampleOf(field: string, command = ''): string {
  const gap = gapIds.find(id => id === field);
  if (gap !== undefined) return readingNames(gap)[1] ?? 'true';
  const ofAction = effectExamples[field];
  const own = typeof ofAction === 'string' ? ofAction : JSON.stringify(ofAction);
  return examples[`${command}.${field}`] ?? examples[field] ?? own ?? 'true';
}

const effectExamples: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(effectSchema.properties).map(([name, schema]) => [name, schema.examples[0]]),
);

/** A line with real values. */
export function exampleLine({ words, positions, fields, required, action }: Verb): string {
  const places = positions
    .flatMap((names, i) => (i === 0 || required.length > 0 ? names.slice(0, 1) : []))
    .map(name => exampleOf(name, words[0]));
  const [further] = Object.keys(fields).filter(name => !positions.flat().includes(name));
  const given = words.includes('add')
    ? [...places, 'status=503', 'times=2']
    : places.length > 0 || further === undefined
      ? places
      : [assigned(further, words[0])];
  return ['cwx-fake', ...words, ...(isOpen(action) && places.length === 0 ? ['licence.ppf=none'] : given)].join(' ');
}

/** `status=503`, quoted for a shell where needed. */
export function assigned(field: string, command?: string): string {
  const value = exampleOf(field, command);
  return `${field}=${/^[\w./:+-]*$/.test(value) ? value : `'${value}'`}`;
}

/** Whether the action takes fields of any name. */
export function isOpen({ body }: Action): boolean {
  return body !== undefined && body.schema.additionalProperties !== false && body.schema.properties === undefined;
}
