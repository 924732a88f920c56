// Attacks on reachability and control: addresses and tokens.

import { isObject } from '../../domain/form/patch.js';
import { parsedJson } from '../../engine/parsed-json.js';
import { Unreachable } from '../../scenario/play/target.js';
import type { Answer } from '../answers.js';
import type { Attack } from '../attack.js';
import type { Exchange, Instance } from '../instance.js';
import type { Finding, Trial } from '../trial.js';

const LIST = '/_fake/v1/sandboxes';

export const beyondLoopback: Attack = {
  name: 'beyond-loopback',
  defends: 'Nobody on another machine reaches the server.',
  tries: 'It is asked at every address of this machine that is not loopback.',
  remedy: 'Leave --host out, or keep strangers off this network.',
  run: async instance => {
    const at = await reachedAt(instance);
    const trials = at.map(({ address, exchange }) => instance.trial(exchange, () => isFar(address, instance)));
    const far = at.flatMap(({ address }) => (isFar(address, instance) ? [address] : []));
    const others = instance.parts.addresses.length;
    const elsewhere = others === 0 ? 'and this machine has no other address' : `and not at ${others} other addresses`;
    return {
      trials,
      says: far.length > 0 ? `it answers at ${far.join(', ')}` : `it answers on loopback, ${elsewhere}`,
    };
  },
};

export const controlWithoutToken: Attack = {
  name: 'control-without-token',
  defends: 'Who reaches the server from another machine cannot steer it or read its journal without a token.',
  tries: 'The control API is asked without a token at every address that answers.',
  remedy: 'Leave --control open out, so that a token is due; or start it with --control off.',
  run: async instance => {
    const at = (await reachedAt(instance)).map(({ address }) => address);
    const trials: Trial[] = [];
    for (const address of at.filter(address => isFar(address, instance)))
      trials.push(instance.trial(await listAt(instance, [], address), isListed));
    if (trials.some(({ outcome, isOpen }) => isOpen || outcome === '401')) return { trials };
    if (trials.length > 0) return { inapplicable: 'there is no control API' };
    const answer = (await listAt(instance, [])).answer;
    return answer?.status === 401
      ? { trials: [{ sent: `GET ${LIST}`, seen: instance.shownAnswer(answer), outcome: '401', isOpen: false }] }
      : { inapplicable: 'it answers on loopback alone, where no token is due' };
  },
};

export const wrongToken: Attack = {
  name: 'wrong-token',
  defends: 'A token that is nearly right, empty or guessed opens nothing.',
  tries: 'The control API is asked with tokens that are not its own.',
  remedy: 'Report it as a bug, and start it with --control off meanwhile.',
  run: async (instance): Promise<Finding> => {
    const bare = await listAt(instance, []);
    if (bare.answer?.status !== 401) return { inapplicable: 'no token is due here' };
    const { token = 'cwx-fake' } = instance.parts;
    const near = [
      `${token}x`,
      token.slice(0, -1),
      token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase(),
    ];
    const wrong = [...near, '', 'null', 'undefined', 'true', '*'].filter(other => other !== token);
    const trials: Trial[] = [];
    for (const [index, value] of wrong.entries()) {
      const exchange = await listAt(instance, [
        ['Authorization', `Bearer ${value}`],
        ['X-Fake-Token', value],
      ]);
      const seen = instance.trial(exchange, isListed);
      trials.push({ ...seen, sent: `GET ${LIST} | Authorization: Bearer (wrong token ${index + 1})` });
    }
    return { trials };
  },
};

export const plainHttp: Attack = {
  name: 'plain-http',
  defends:
    'Nothing is answered without TLS where HTTPS is served, so that nobody sends a password in the clear by mistake.',
  tries: 'Requests are sent as plain HTTP to the port of HTTPS.',
  remedy: 'Report it as a bug; or take away what answers plain HTTP in front of it.',
  run: async instance => {
    if (!instance.parts.wire.isSecure) return { inapplicable: 'it serves no HTTPS' };
    const trials: Trial[] = [];
    for (const path of ['/_fake/health', LIST, '/rest/cwx-ppf/latest/push'])
      trials.push(instance.trial(await instance.sendPlain(instance.head({ path })), () => true));
    return { trials };
  },
};

interface Reached {
  readonly address: string;
  readonly exchange: Exchange;
}

/** The addresses to try: that of the target, and others of this machine. */
async function reachedAt(instance: Instance): Promise<readonly Reached[]> {
  const { addresses, wire } = instance.parts;
  const line = await wire.open();
  const { remote } = line;
  line.end();
  const found: Reached[] = [{ address: remote, exchange: await healthAt(instance) }];
  for (const address of addresses.filter(other => other !== remote)) {
    const exchange = await healthAt(instance, address).catch(nobody);
    if (exchange?.answer !== undefined && isHealth(exchange.answer)) found.push({ address, exchange });
  }
  return found;
}

/** No answer is fine. */
function nobody(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}

function healthAt(instance: Instance, address?: string): Promise<Exchange> {
  return instance.ask({ path: '/_fake/health', ...(address && { headers: [['Host', 'localhost']] }) }, address);
}

function listAt(
  instance: Instance,
  headers: ReadonlyArray<readonly [string, string]>,
  address?: string,
): Promise<Exchange> {
  return instance.ask(
    { path: LIST, headers: [...(address ? [['Host', 'localhost'] as const] : []), ...headers] },
    address,
  );
}

function isListed({ status }: Answer): boolean {
  return status < 400;
}

/** Whether an answer is the health report of a fake. */
export function isHealth({ status, text }: Answer): boolean {
  const body = parsedJson(text);
  return status === 200 && isObject(body) && body.status === 'ok' && typeof body.version === 'string';
}

function isFar(address: string, { parts: { addresses } }: Instance): boolean {
  if (addresses.includes(address)) return true;
  const plain = address.replace(/^::ffff:/, '');
  return plain !== '::1' && !plain.startsWith('127.');
}
