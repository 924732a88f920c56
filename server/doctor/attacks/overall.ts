// Checks on the answers to all attacks, and on a round of bad requests.
import { isObject } from '../../domain/form/patch.js';
import { canonicalPrefix } from '../../operations/address.js';
import { operations } from '../../operations/catalog.js';
import type { Attack } from '../attack.js';
import type { AttackRequest, Instance } from '../instance.js';
import { isBug, type Trial } from '../trial.js';

/** Patterns of internal details in answers. */
const insides: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['a stack trace', /(?:^|\\n|\n)\s+at [^\n]{1,200}:\d+:\d+/],
  ['a module of Node', /node:internal|node_modules\//],
  [
    'a path of the machine',
    /(?:^|[\s"'(:])((?:\/(?:home|root|usr|opt|var|srv|app|tmp|mnt|Users|etc|private)\/|[A-Z]:\\\\?)[\w.@/\\-]+)/,
  ],
  ['a source file', /file:\/\/\/?\w|\.(?:ts|js|mjs|cjs):\d+/],
  ['a version of Node', /\bnode(?:\.js)?[/ ]v?\d+\.\d+|\bv(?:1[89]|[2-9]\d)\.\d+\.\d+\b/i],
];

export const errorDetails: Attack = {
  name: 'error-details',
  defends: 'No refusal tells of the inside of the server: stack traces, paths, versions of Node.',
  tries: 'Every refusal that any attack got is looked through, and the headers of every answer.',
  remedy: 'Report it as a bug.',
  run: async instance => {
    await sweep(instance);
    const trials = instance.answered.map(({ raw, sent, answer }) => {
      const of = answer.status >= 400 ? answer.text : '';
      const headers = answer.headers.filter(([name]) => name === 'server' || name === 'x-powered-by');
      const text = `${headers.map(pair => pair.join(': ')).join('\n')}\n${of}`;
      const reported = insides.find(([, pattern]) => isReported(text, pattern, raw));
      const seen =
        reported === undefined
          ? instance.shownAnswer(answer)
          : `${answer.status} with ${reported[0]}: ${instance.shown(text.trim())}`;
      return { sent, seen, outcome: String(answer.status), isOpen: reported !== undefined };
    });
    return { trials, ...(trials.some(({ isOpen }) => isOpen) ? {} : { says: `${trials.length} answers, none tells` }) };
  },
};

export const serverErrors: Attack = {
  name: 'server-errors',
  defends: 'Nothing that is sent is answered as a bug of the server (5xx), and it goes on answering.',
  tries:
    'Every operation and every endpoint of the control API gets bad bodies; the answers to all other attacks count too.',
  remedy: 'Report it as a bug, with what was sent.',
  run: async instance => {
    await sweep(instance);
    const answered = instance.answered.map(({ sent, answer }) => ({
      sent,
      seen: instance.shownAnswer(answer),
      outcome: String(answer.status),
      isOpen: isBug(answer.status),
    }));
    const after = instance.survived(await instance.ask({ path: '/_fake/health' }));
    const trials: Trial[] = [...answered, after];
    return {
      trials,
      ...(trials.some(({ isOpen }) => isOpen) ? {} : { says: `${trials.length} answers, none of them 5xx` }),
    };
  },
};

export const honestHealth: Attack = {
  name: 'honest-health',
  defends: 'Its health says so when operations cannot be served.',
  tries: 'An operation is asked, and then its health.',
  remedy: 'Use a newer version, and look at its log and its store.',
  needsSandbox: true,
  run: async instance => {
    const path = instance.own('/rest/cwx-ppf/latest/push');
    const { answer } = await instance.ask({ method: 'POST', path, json: {} });
    const isUnserved = answer === undefined || answer.status === 503;
    const health = await instance.ask({ path: '/_fake/health' });
    const trial = instance.trial(health, ({ status }) => status === 200 && isUnserved);
    const first = answer === undefined ? 'no answer' : String(answer.status);
    return { trials: [{ ...trial, sent: `POST ${path} (${first}), then ${trial.sent}` }] };
  },
};

/** Whether a text contains it without having been sent it. */
function isReported(text: string, pattern: RegExp, raw: string): boolean {
  const found = pattern.exec(text);
  return found !== null && !raw.includes((found[1] ?? found[0]).trim());
}

const swept = new WeakMap<Instance, Promise<void>>();

/** Sends one bad request to every endpoint and keeps the answers. */
function sweep(instance: Instance): Promise<void> {
  const begun = swept.get(instance) ?? (instance.parts.sandbox === undefined ? Promise.resolve() : sweepAll(instance));
  swept.set(instance, begun);
  return begun;
}

async function sweepAll(instance: Instance): Promise<void> {
  await instance.admit();
  const bodies = [
    '',
    'null',
    '[]',
    '{',
    '"text"',
    '{"doctor":1}',
    '\u00ff\u00fe',
    '{"users":{"a":1},"group":7,"to":"x"}',
  ];
  for (const [method, path] of [...operationPaths(instance), ...(await controlPaths(instance))])
    for (const body of method === 'GET' ? [''] : bodies) {
      const { answer, isClosed } = await instance.ask(asking(instance, method, path, body));
      if (answer === undefined && !isClosed) return; // it answers nothing any more, as the last request will show
    }
}

function asking(instance: Instance, method: string, path: string, body: string): AttackRequest {
  const headers = [...instance.credentialsFor(path), ['Content-Type', 'application/json'] as const];
  const query = method === 'GET' ? '?doctor=%00&limit=x&at=x' : '';
  return { method, path: `${path}${query}`, headers, ...(body !== '' && { body: Buffer.from(body, 'latin1') }) };
}

function operationPaths(instance: Instance): Array<readonly [method: string, path: string]> {
  return operations.map(({ method, family, path }) => [
    method,
    instance.own(`${canonicalPrefix(family)}${path.replace(/\{\w+\}/g, 'none')}`),
  ]);
}

/** The server's own paths, in the attacks' sandbox; without those that create sandboxes or drop this one. */
async function controlPaths(instance: Instance): Promise<Array<readonly [method: string, path: string]>> {
  const { answer } = await instance.control('GET', '/_fake/v1/control-openapi.json');
  const document: unknown = answer?.status === 200 ? JSON.parse(answer.text) : undefined;
  const paths = isObject(document) && isObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(isObject(item) ? item : {})
      .map(method => [method.toUpperCase(), path] as const)
      .filter(([method]) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      .filter(
        ([method, at]) =>
          !(at === '/sandboxes' && method === 'POST') && !(at === '/sandboxes/{s}' && method === 'DELETE'),
      )
      .filter(([, at]) => !at.endsWith('/fork'))
      .map(([method, at]) => [method, placed(instance, at)] as const),
  );
}

function placed({ parts: { sandbox = '' } }: Instance, path: string): string {
  const filled = path.replace('{s}', sandbox).replace(/\{\w+\}/g, 'none');
  return path.includes('{s}') ? `/_fake/v1${filled}` : `/~${sandbox}/_fake/v1${filled}`;
}
