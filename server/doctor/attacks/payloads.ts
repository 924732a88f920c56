// Attacks with small but expensive inputs: deep JSON, huge numbers, explosive regular expressions.
import type { Attack } from '../attack.js';
import type { AttackRequest, Instance } from '../instance.js';
import type { Trial } from '../trial.js';

const GROUPS = '/rest/cwxapiextension/latest/groups/add-users';
const PUSH = '/rest/cwx-ppf/latest/push';
const DEPTH = 100_000;

export const deepJson: Attack = {
  name: 'deep-json',
  defends: 'Deeply nested JSON neither stops the server nor counts as a bug of it.',
  tries: `Lists and objects of ${DEPTH} levels are sent to operations and to the control API.`,
  remedy: 'Use a newer version; a smaller --max-body bounds the depth.',
  needsSandbox: true,
  run: async instance => {
    const lists = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
    const objects = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;
    const bodies = [lists, objects, '['.repeat(DEPTH), `{"group":${lists},"users":[]}`, `{"body":${objects}}`];
    const places = [
      ['POST', instance.own(GROUPS)],
      ['PATCH', instance.ownControl('/world')],
      ['POST', instance.ownControl('/journal/verify')],
      ['PUT', instance.ownControl('/readings')],
    ] as const;
    return {
      trials: await survived(
        instance,
        places.flatMap(([method, path]) => bodies.map(body => jsonTo(instance, method, path, body))),
      ),
    };
  },
};

export const hugeNumbers: Attack = {
  name: 'huge-numbers',
  defends: 'Numbers beyond what a program can count with are told apart, not tripped over.',
  tries: 'Numbers without measure stand for ids, versions, times, limits and seconds.',
  remedy: 'Report it as a bug.',
  needsSandbox: true,
  run: async instance => {
    const numbers = ['1e999', '-1e308', '1e-400', '-0', '9007199254740993', '9'.repeat(1000), '0.1'];
    const trials: Trial[] = [];
    for (const number of numbers) {
      await instance.admit(); // one of them may have led back to a time before
      trials.push(...(await survived(instance, countingWith(instance, number))));
      if (trials.at(-1)?.outcome === 'no answer') break;
    }
    return { trials };
  },
};

export const patternBomb: Attack = {
  name: 'pattern-bomb',
  defends: 'A regular expression of $match cannot keep the server busy.',
  tries: 'Patterns that take other engines for ever are matched against a long text in the journal.',
  remedy: 'Report it as a bug, and start it with --control off meanwhile.',
  needsSandbox: true,
  run: async instance => {
    await instance.control('POST', instance.ownControl('/reset')); // what others sent would be matched too
    const group = `${'a'.repeat(20_000)}!`;
    await instance.ask({ method: 'POST', path: instance.own(GROUPS), json: { group, users: [] } });
    const patterns = [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|aa)+$',
      '(.*)*x',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      'a{1000}{1000}',
      '(((a{1,99}){1,99}){1,99}){1,99}',
      '(?=a)*',
    ];
    const asked = patterns.map(pattern => ({
      method: 'POST',
      path: instance.ownControl('/journal/verify'),
      headers: instance.pass,
      json: { body: { group: { $match: pattern }, users: [] } },
    }));
    return { trials: await survived(instance, asked) };
  },
};

function countingWith(instance: Instance, number: string): readonly AttackRequest[] {
  const permissions = '/rest/cwxapiextension/latest/permissions/edit';
  return [
    jsonTo(instance, 'POST', instance.own(PUSH), `{"users":["doctor"],"filters":[${number}]}`),
    jsonTo(instance, 'PUT', instance.own(`${permissions}/${number}`), '{"users":["doctor"]}'),
    jsonTo(instance, 'POST', instance.ownControl('/rewind'), `{"to":${number}}`),
    jsonTo(instance, 'PUT', instance.ownControl('/clock'), `{"advance":${number}}`),
    jsonTo(instance, 'POST', instance.ownControl('/explain'), `{"entry":${number}}`),
    jsonTo(instance, 'PATCH', instance.ownControl('/world'), `{"nextPageId":${number}}`),
    { path: instance.ownControl(`/journal?since=${number}&limit=${number}`), headers: instance.pass },
    { path: instance.ownControl(`/world?at=${number}`), headers: instance.pass },
  ];
}

function jsonTo(instance: Instance, method: string, path: string, body: string): AttackRequest {
  return { method, path, body, headers: [...instance.credentialsFor(path), ['Content-Type', 'application/json']] };
}

/** One after the other, until the server no longer answers. */
async function survived(instance: Instance, all: readonly AttackRequest[]): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const asked of all) {
    const trial = instance.survived(await instance.ask(asked));
    trials.push(trial);
    if (trial.outcome === 'no answer') break;
  }
  return trials;
}
