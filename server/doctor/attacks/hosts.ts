// Attacks with foreign Host headers (DNS rebinding).
import type { Attack } from '../attack.js';
import type { AttackRequest, Instance } from '../instance.js';
import type { Trial } from '../trial.js';

const STRANGER = 'doctor.example';
const PATHS = ['/', '/_fake/health', '/_fake/v1/sandboxes'];

export const foreignHost: Attack = {
  name: 'foreign-host',
  defends: 'A web page that binds its own name to this address (DNS rebinding) is not answered.',
  tries: 'Requests name hosts that are not this one: in Host, and as a whole URL in the request line.',
  remedy: 'Leave --allow-host any out; allow the names that you need one by one.',
  run: async instance => {
    const { port } = instance.parts.url;
    const names = [
      STRANGER,
      `${STRANGER}:${port}`,
      `localhost.${STRANGER}`,
      `127.0.0.1.${STRANGER}`,
      `${STRANGER}.`,
      `localhost@${STRANGER}`,
      '192.0.2.77',
    ];
    const asked: AttackRequest[] = [
      ...names.map((name, i) => ({ path: PATHS[i % PATHS.length] ?? '/', headers: [['Host', name] as const] })),
      ...PATHS.map(path => ({ path: `http://${STRANGER}${path}` })),
    ];
    return { trials: await refused(instance, asked) };
  },
};

export const doubledHost: Attack = {
  name: 'doubled-host',
  defends: 'A proxy in front and the server cannot go by two different hosts of one request.',
  tries: 'Requests name this host and another one, in either order.',
  remedy: 'Put a proxy in front that refuses such requests, or use a newer version.',
  run: async instance => {
    const hosts = [['Host', instance.host] as const, ['Host', STRANGER] as const];
    return {
      trials: await refused(instance, [
        { path: '/_fake/health', headers: hosts },
        { path: '/_fake/health', headers: [...hosts].reverse() },
      ]),
    };
  },
};

async function refused(instance: Instance, all: readonly AttackRequest[]): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const asked of all)
    trials.push(instance.trial(await instance.ask(asked), ({ status }) => status !== 421 && status !== 400));
  return trials;
}
