// Sends recognizable credentials and searches for them in everything that the server reports.
import { randomBytes } from 'node:crypto';
import type { Attack } from '../attack.js';
import type { AttackRequest, Instance } from '../instance.js';
import type { Trial } from '../trial.js';

const PUSH = '/rest/cwx-ppf/latest/push';
/** Shorter tokens are not searched: they occur by accident. The attack's own credentials are in the same places. */
const LEAST = 8;
const READ = ['', '/journal', '/capsule'];

export const secrets: Attack = {
  name: 'secrets',
  defends: 'Passwords and tokens are in no journal, no capsule and no error.',
  tries:
    'Requests carry passwords, tokens and cookies in headers and URLs, valid and invalid; the journal, the capsule and the errors are searched for them.',
  remedy: 'Report it as a bug, and share no journal and no capsule meanwhile.',
  needsSandbox: true,
  run: async instance => {
    const password = `doctor-password-${randomBytes(8).toString('hex')}`;
    const token = `doctor-token-${randomBytes(8).toString('hex')}`;
    const { token: pass = '' } = instance.parts;
    const hidden = [password, token, ...(pass.length < LEAST ? [] : [pass])];
    await instance.control('POST', instance.ownControl('/reset')); // a journal with nothing but this, and short
    const world = { users: { doctor: { displayName: 'Doctor', password, token } } };
    await instance.control('PATCH', instance.ownControl('/world'), world);
    const trials: Trial[] = [];
    for (const asked of showing(instance, password, token)) trials.push(await look(instance, asked, hidden));
    const entries = Array.from({ length: 4 }, (_, i) => ({ entry: i + 1 }));
    const reading: AttackRequest[] = [
      ...READ.map(path => ({ path: instance.ownControl(path) })),
      ...entries.map(json => ({ method: 'POST', path: instance.ownControl('/explain'), json })),
      {
        method: 'POST',
        path: instance.ownControl('/journal/verify'),
        json: { operation: 'ppf.pull', caller: 'doctor' },
      },
      { path: '/_fake/v1/sandboxes' },
      { path: '/_fake/v1/metrics' },
      { path: '/_fake/health' },
    ];
    for (const asked of reading)
      trials.push(await look(instance, { ...asked, headers: [...(asked.headers ?? []), ...instance.pass] }, hidden));
    return { trials };
  },
};

function showing(instance: Instance, password: string, token: string): AttackRequest[] {
  const basic = (text: string) => ['Authorization', `Basic ${Buffer.from(text).toString('base64')}`] as const;
  const push = (...headers: ReadonlyArray<readonly [string, string]>): AttackRequest => ({
    method: 'POST',
    path: instance.own(PUSH),
    json: { users: ['doctor'], filters: [10500] },
    headers,
  });
  return [
    push(basic(`doctor:${password}`)),
    {
      ...push(basic(`doctor:${password}`)),
      path: instance.own(
        `${PUSH}?pwd=${password}&next=https://doctor:${password}@doctor.example/&header=Bearer+${token}`,
      ),
    },
    push(basic(`admin:${password}`)),
    push(basic(password)),
    push(['Authorization', `Bearer ${token}`]),
    push(['Authorization', `Basic ${password}`]),
    push(['Authorization', password]),
    push(['Proxy-Authorization', `Bearer ${token}`], ['Cookie', `session=${token}`], ['X-Fake-Token', token]),
    { path: instance.ownControl('/journal'), headers: [['Authorization', `Bearer ${token}`]] },
    { path: instance.ownControl('/nothing'), headers: [['X-Fake-Token', token], ...instance.pass] },
  ];
}

/** Sends a request and searches its answer for secrets, in clear text and in base64. */
async function look(instance: Instance, asked: AttackRequest, hidden: readonly string[]): Promise<Trial> {
  const exchange = await instance.ask(asked);
  const { answer } = exchange;
  const whole = answer === undefined ? '' : `${JSON.stringify(answer.headers)}${answer.text}`;
  const at = hidden
    .flatMap(secret => formsOf(secret))
    .map(form => whole.indexOf(form))
    .find(index => index !== -1);
  const trial = instance.trial(exchange, () => at !== undefined);
  if (at === undefined) return trial;
  return { ...trial, seen: instance.shown(`${trial.outcome} …${whole.slice(Math.max(0, at - 60), at + 60)}…`) };
}

/** A text, and the parts of its base64 at any alignment. */
function formsOf(secret: string): string[] {
  const packed = [0, 1, 2].map(shift => {
    const text = Buffer.from(`${' '.repeat(shift)}${secret}`).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, Math.floor((shift + secret.length) / 3) * 4);
  });
  return [secret, ...packed];
}
