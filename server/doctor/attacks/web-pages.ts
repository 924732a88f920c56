// Attacks from a foreign web page in a browser on this machine.
import type { Attack } from '../attack.js';
import type { AttackRequest, Instance } from '../instance.js';
import type { Trial } from '../trial.js';

const STRANGER = 'https://doctor.example';

export const foreignOrigin: Attack = {
  name: 'foreign-origin',
  defends: 'A web page of another origin cannot change anything through the control API.',
  tries: 'A sandbox is reset with a foreign Origin, with null, and with what browsers add to requests of other sites.',
  remedy: 'Report it as a bug, and start it with --control off meanwhile.',
  needsSandbox: true,
  run: async instance => {
    const { protocol, hostname } = instance.parts.url;
    const marks: Array<readonly [string, string]> = [
      ['Origin', STRANGER],
      ['Origin', 'null'],
      ['Origin', `${protocol}//${hostname}:1`],
      ['Origin', `${protocol}//${instance.host}.doctor.example`],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-site'],
    ];
    const asked = marks.map(mark => ({
      method: 'POST',
      path: instance.ownControl('/reset'),
      headers: [...instance.pass, mark],
    }));
    return { trials: await trialsOf(instance, asked, status => status < 400) };
  },
};

export const foreignOperations: Attack = {
  name: 'foreign-operations',
  defends: 'A web page of another origin cannot perform an operation, nor make a sandbox by naming one.',
  tries:
    'Operations are sent with a foreign Origin, as a form sends them, and with what browsers add to requests of other sites.',
  remedy: 'Leave out --cors for this origin, or use a newer version.',
  needsSandbox: true,
  run: async instance => {
    const path = instance.own('/rest/cwxapiextension/latest/groups/add-users');
    const form = ['Content-Type', 'text/plain'] as const;
    const body = '{"group":"doctor","users":[]}';
    const marks = [
      ['Origin', STRANGER],
      ['Origin', 'null'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-site'],
    ] as const;
    const asked = marks.flatMap(mark => [
      { method: 'POST', path, headers: [form, mark], body },
      { method: 'GET', path, headers: [mark] },
    ]);
    return { trials: await trialsOf(instance, asked, status => status !== 403) };
  },
};

export const formContentTypes: Attack = {
  name: 'form-content-types',
  defends: 'A form of a web page, which a browser sends without asking for leave, cannot change anything.',
  tries: 'The control API is sent JSON under the three content types of forms.',
  remedy: 'Report it as a bug, and start it with --control off meanwhile.',
  needsSandbox: true,
  run: async instance => {
    const types = [
      'text/plain',
      'text/plain; charset=utf-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
    ];
    const asked = types.map((type, i) => ({
      method: 'POST',
      path: instance.ownControl('/snapshots'),
      headers: [...instance.pass, ['Content-Type', type] as const],
      body: JSON.stringify({ name: `form-${i}` }),
    }));
    return { trials: await trialsOf(instance, asked, status => status < 400) };
  },
};

export const corsHeaders: Attack = {
  name: 'cors-headers',
  defends: 'No web page of another origin may read an answer.',
  tries: 'Requests and preflights of a foreign origin look for Access-Control headers in what comes back.',
  remedy: 'Take away what adds these headers: a proxy in front, or an armed fault.',
  run: async instance => {
    const origin = ['Origin', STRANGER] as const;
    const wishes = [
      ['Access-Control-Request-Method', 'PUT'],
      ['Access-Control-Request-Headers', 'authorization, x-fake-sandbox'],
      ['Access-Control-Request-Private-Network', 'true'],
    ] as const;
    const paths = ['/', '/_fake/health', '/_fake/v1/sandboxes', '/_fake/v1/sandboxes/default/world'];
    const own = instance.parts.sandbox === undefined ? [] : [instance.own('/rest/cwx-ppf/latest/push')];
    const asked: AttackRequest[] = [...paths, ...own].flatMap(path => [
      { path, headers: [origin, ...instance.credentialsFor(path)] },
      { path, headers: [origin, ['Origin', 'null'] as const] },
      ...(path === '/' ? [] : [{ method: 'OPTIONS', path, headers: [origin, ...wishes] }]), // of that the journal of others would tell
    ]);
    const trials: Trial[] = [];
    for (const one of asked) {
      const exchange = await instance.ask(one);
      const granted = exchange.answer?.headers.find(([name]) => name.startsWith('access-control-'));
      const trial = instance.trial(exchange, () => granted !== undefined);
      trials.push(
        granted === undefined ? trial : { ...trial, seen: instance.shown(`${trial.outcome} ${granted.join(': ')}`) },
      );
    }
    return { trials };
  },
};

async function trialsOf(
  instance: Instance,
  all: readonly AttackRequest[],
  isOpen: (status: number) => boolean,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const asked of all) trials.push(instance.trial(await instance.ask(asked), ({ status }) => isOpen(status)));
  return trials;
}
