// What conform has to find of a server that is faulty on purpose: the rule that it breaks, and no other; and never an effect that there is not.
import { expect } from 'chai';
import type { FaultyServer } from '../../../bench/mutants/list.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { type Conformed, conformed, type Prepared, rulesThat } from './conforming.js';
import { faulty } from './faulty-server.js';
import { asForeign } from './outside.js';

async function found(server: FaultyServer, plan: Prepared, rules?: readonly string[]): Promise<Conformed> {
  const fake = await faulty(server);
  try {
    return await conformed(asForeign(fake), plan, rules);
  } finally {
    fake.end();
  }
}

export const titleOf = ({ rule, says, unseen }: FaultyServer): string =>
  `${unseen === undefined ? 'contradicts' : 'cannot be told by'} ${rule}: ${says}`;

/** It contradicts what it breaks, with evidence; and nothing where nobody outside can see it. `rules`: those of the plan, where that has not all. */
export async function expectBitten(server: FaultyServer, plan: Prepared, rules?: readonly string[]): Promise<void> {
  const { rule, also = [], or, unseen } = server;
  const seen = await found(server, plan, rules);
  const named = rulesThat('contradicts', seen).map(id => (id === or ? rule : id));
  expect(named).to.have.members(unseen === undefined ? [rule, ...also] : []);
  if (unseen !== undefined) expect(rulesThat('conforms', seen)).not.to.include(rule);
  for (const { rule: id, judgement, evidence } of seen.verdicts)
    if (judgement === 'contradicts') expect(evidence[0]?.played.differences, id).not.to.deep.equal([]);
}

/** What each operation brings about, by the rules that say so. */
export const effects: Readonly<Record<string, readonly string[]>> = {
  'groups.add-users': ['groups.add-users'],
  'groups.remove-users': ['groups.remove-users'],
  'groups.set-users': ['groups.set-users'],
  'permissions.edit-add': ['permissions.edit-add'],
  'permissions.edit-remove': ['permissions.edit-remove'],
  'permissions.view-add': ['permissions.view-add'],
  'permissions.view-remove': ['permissions.view-remove'],
  'permissions.all-remove': ['permissions.all-remove'],
  'spaces.add-sidebar-link': ['spaces.sidebar-link'],
  'spaces.copy': ['spaces.copy', 'spaces.copy-default-admin', 'spaces.copy-remove-admin', 'spaces.copy-keep-metadata'],
  'spaces.replace-in-page': ['spaces.replace-body', 'spaces.replace-title'],
  'ppf.push': ['ppf.push'],
  'ppf.pull': ['ppf.pull'],
};

/** The readings that show most effects. */
export const telling: SomeReadings = {
  'no-change': '409',
  'ppf-no-change': 'message',
  'sidebar-duplicate': '409',
  'replace-not-found': '404',
};

/** A server that says that it has done an operation, and has not, is not believed. */
export async function expectDisbelieved(operation: string, readings: SomeReadings, plan: Prepared): Promise<void> {
  const effect = effects[operation] ?? [];
  const server: FaultyServer = {
    rule: operation,
    says: 'it changes nothing',
    file: 'engine/request/perform.ts',
    find: 'facts: isRefusal ? [] : decision.facts,',
    replace: `facts: isRefusal || operation?.id === '${operation}' ? [] : decision.facts,`,
    readings,
  };
  const { verdicts } = await found(server, plan);
  const believed = verdicts.filter(({ rule, judgement }) => effect.includes(rule) && judgement === 'conforms');
  expect(
    believed.map(({ rule, evidence }) => `${rule}: ${evidence.map(({ played }) => played.step.say).join(' / ')}`),
  ).to.deep.equal([]);
}
