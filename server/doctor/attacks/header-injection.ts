// Attacks with line breaks in names that are repeated in headers (header injection).
import { headerOf } from '../answers.js';
import type { Attack } from '../attack.js';
import type { AttackRequest, Exchange, Instance } from '../instance.js';
import type { Trial } from '../trial.js';

const SPLIT = 'X-Doctor-Split';
const BREAK = `a\r\n${SPLIT}: yes`;
const ENCODED = encodeURIComponent(BREAK);
const GROUPS = '/rest/cwxapiextension/latest/groups/add-users';

export const headerInjection: Attack = {
  name: 'header-injection',
  defends: 'A name with a line break in it cannot add a header to an answer.',
  tries: 'Sandboxes, groups, snapshots, readings, paths and faults are named with a line break and a header behind it.',
  remedy: 'Report it as a bug, and start it with --control off meanwhile.',
  needsSandbox: true,
  run: async instance => {
    const trials: Trial[] = [];
    for (const asked of splitting(instance)) trials.push(judged(instance, await instance.ask(asked)));
    const faults = [{ operation: 'groups.add-users', effect: { status: 503, headers: { 'X-A': BREAK } } }];
    const armed = await instance.control('PUT', instance.ownControl('/faults'), { faults });
    trials.push(judged(instance, armed));
    if ((armed.answer?.status ?? 400) < 400) {
      trials.push(judged(instance, await instance.ask({ method: 'POST', path: instance.own(GROUPS), json: {} })));
      await instance.control('DELETE', instance.ownControl('/faults'));
    }
    return { trials };
  },
};

function splitting(instance: Instance): readonly AttackRequest[] {
  const { pass } = instance;
  return [
    { path: `/~${ENCODED}${GROUPS}`, method: 'POST', json: {} },
    { path: instance.own(`${GROUPS}/${ENCODED}`), method: 'POST', json: {} },
    { path: instance.own(`${GROUPS}?expand=${ENCODED}&${ENCODED}=1`), method: 'POST', json: {} },
    { path: instance.own(GROUPS), method: 'POST', json: { group: BREAK, users: [BREAK] } },
    { path: instance.own(GROUPS), method: 'POST', json: {}, headers: [['X-Fake-Reading', `unknown-user=${ENCODED}`]] },
    { path: GROUPS, method: 'POST', json: {}, headers: [['X-Fake-Sandbox', ENCODED]] },
    { path: `/_fake/v1/sandboxes/${ENCODED}`, headers: pass },
    { path: '/_fake/v1/sandboxes', method: 'POST', json: { name: BREAK }, headers: pass },
    { path: instance.ownControl('/snapshots'), method: 'POST', json: { name: BREAK }, headers: pass },
  ];
}

export const requestIds: Attack = {
  name: 'request-ids',
  defends: 'The id that a request brings along cannot add a header to the answer that repeats it.',
  tries: 'X-Request-Id holds line breaks, whole and halved, folded and encoded, zero bytes and what is no ASCII.',
  remedy: 'Report it as a bug; a proxy in front can set X-Request-Id meanwhile.',
  run: async instance => {
    const ids = [
      `a\r${SPLIT}: yes`,
      `a\n${SPLIT}: yes`,
      `a\r\n ${SPLIT}: yes`,
      ENCODED,
      'a\0b',
      'a\u00e9\u0085b',
      'a'.repeat(4096),
    ];
    const trials: Trial[] = [];
    for (const id of ids) {
      const asked = {
        path: '/_fake/health',
        headers: [
          ['X-Request-Id', id],
          ['Connection', 'close'],
        ] as const,
      };
      const exchange = await instance.send(instance.head(asked));
      const echoed = exchange.answer === undefined ? undefined : headerOf(exchange.answer, 'x-request-id');
      const isRaw = echoed !== undefined && /[^ -~]/.test(echoed);
      const trial = judged(instance, exchange);
      trials.push(
        isRaw ? { ...trial, seen: instance.shown(`${trial.outcome} X-Request-Id: ${echoed}`), isOpen: true } : trial,
      );
    }
    return { trials };
  },
};

function judged(instance: Instance, exchange: Exchange): Trial {
  const split = exchange.answer === undefined ? undefined : headerOf(exchange.answer, SPLIT.toLowerCase());
  const trial = instance.trial(exchange, () => split !== undefined);
  return split === undefined ? trial : { ...trial, seen: `${trial.outcome} ${SPLIT}: ${split}` };
}
