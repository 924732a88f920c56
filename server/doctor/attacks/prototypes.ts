// Attacks with names of built-in JavaScript properties (prototype pollution).
import type { Attack } from '../attack.js';
import type { Exchange, Instance } from '../instance.js';
import { isBug, type Trial } from '../trial.js';

const NAMES = ['__proto__', 'constructor', 'toString'];
const MARK = 'doctorWasHere';
const GROUPS = '/rest/cwxapiextension/latest/groups/add-users';

export const prototypeNames: Attack = {
  name: 'prototype-names',
  defends: 'Names such as __proto__ break nothing, and change nothing for others.',
  tries: 'They stand for sandboxes, users, groups, parameters of queries and fields of bodies.',
  remedy: 'Report it as a bug, and start it with --control off meanwhile.',
  needsSandbox: true,
  run: async instance => {
    await instance.admit();
    const trials: Trial[] = [];
    const add = (exchange: Exchange) => trials.push(judged(instance, exchange));
    for (const name of NAMES) {
      const marked = `{${JSON.stringify(name)}:{${JSON.stringify(MARK)}:"yes"}}`;
      for (const exchange of await asSandbox(instance, name)) add(exchange);
      add(await instance.control('GET', instance.ownControl(`/journal?${name}=1&operation=${name}`)));
      add(await instance.control('POST', instance.ownControl(`/snapshots/${name}/restore`)));
      for (const [method, path] of [
        ['PATCH', '/world'],
        ['PUT', '/readings'],
        ['PUT', '/faults'],
        ['POST', '/journal/verify'],
      ] as const)
        add(await instance.ask(raw(instance, method, instance.ownControl(path), marked)));
      const world = `{"users":{${JSON.stringify(name)}:{}},"groups":{${JSON.stringify(name)}:["admin"]}}`;
      add(await instance.ask(raw(instance, 'PATCH', instance.ownControl('/world'), world)));
      const body = `{"group":${JSON.stringify(name)},"users":[${JSON.stringify(name)}],"__proto__":{"${MARK}":"yes"}}`;
      add(await instance.ask(raw(instance, 'POST', instance.own(`${GROUPS}?${name}=1&expand=${name}`), body)));
    }
    for (const path of ['', '/world', '/readings', '/faults']) {
      const exchange = await instance.control('GET', instance.ownControl(path));
      trials.push(instance.trial(exchange, ({ text, status }) => isBug(status) || text.includes(MARK)));
    }
    return { trials };
  },
};

/** Open if it fails like a bug. */
function judged(instance: Instance, exchange: Exchange): Trial {
  return instance.trial(exchange, ({ status }) => isBug(status));
}

/** Creates and drops a sandbox of this name, unless it exists. */
async function asSandbox(instance: Instance, name: string): Promise<Exchange[]> {
  const path = `/_fake/v1/sandboxes/${name}`;
  const before = await instance.control('GET', path);
  if (before.answer?.status === 200) return [before];
  const made = await instance.control('PUT', path, {});
  const dropped = await instance.control('DELETE', path);
  return [before, made, dropped];
}

function raw(instance: Instance, method: string, path: string, body: string) {
  return {
    method,
    path,
    body,
    headers: [...instance.credentialsFor(path), ['Content-Type', 'application/json'] as const],
  };
}
