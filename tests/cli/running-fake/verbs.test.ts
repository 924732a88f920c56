// What people type at a running fake: arguments by position, verbs that they guess, typing errors, and the help.
import { expect } from 'chai';
import { inputFrom } from '../../../cli/running-fake/verb-input.js';
import { exampleOf, runningFakeCommands, verbs } from '../../../cli/running-fake/verbs.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import type { Process } from '../../../server/process/command-process.js';
import { run } from '../../support/processes/commands.js';

const process = { cwd: () => '/' } as Process;

function inputOf(line: string) {
  const [command, ...positionals] = line.split(' ');
  const own = verbs.filter(({ words }) => words[0] === command);
  return inputFrom(own, { positionals, values: {} }, process);
}

const understood: Record<string, [action: string, input: object]> = {
  'create job-7': ['sandboxes.create', { body: { name: 'job-7' } }],
  'create job-7 readings.unknown-user=400 ttl=60': [
    'sandboxes.create',
    { body: { name: 'job-7', readings: { 'unknown-user': '400' }, ttl: 60 } },
  ],
  'describe job-7': ['sandboxes.describe', { sandbox: 'job-7' }],
  'replace job-7 unlicensed': ['sandboxes.replace', { sandbox: 'job-7', body: { scenario: 'unlicensed' } }],
  'reset job-7': ['sandboxes.reset', { sandbox: 'job-7', body: {} }],
  'fork copy 3': ['sandboxes.fork', { body: { name: 'copy', at: 3 } }],
  'world groups': ['world.read', { query: { collection: 'groups' } }],
  'world groups customers': ['world.read', { query: { collection: 'groups', containing: 'customers' } }],
  'world patch licence.ppf=none nextPageId=7': ['world.patch', { body: { licence: { ppf: 'none' }, nextPageId: 7 } }],
  'faults release spinner': ['faults.release', { body: { hold: 'spinner' } }],
  'snapshots restore before': ['snapshots.restore', { params: { name: 'before' }, body: {} }],
  'rewind 3': ['sandboxes.rewind', { body: { to: 3 } }],
  'diff 1 3': ['sandboxes.diff', { query: { from: '1', to: '3' } }],
  'clock set 2026-01-05T09:00:00Z': ['clock.set', { body: { set: '2026-01-05T09:00:00Z' } }],
  'clock set PT1H': ['clock.set', { body: { advance: 'PT1H' } }],
  'faults add ppf.push status=503 times=2': [
    'faults.set',
    { body: { faults: [{ operation: 'ppf.push', times: 2, effect: { status: 503 } }], append: true } },
  ],
  'faults add /rest/api/space when.nth=2 hangUp=true': [
    'faults.set',
    { body: { faults: [{ path: '/rest/api/space', when: { nth: 2 }, effect: { hangUp: true } }], append: true } },
  ],
  'stubs add /rest/webhooks/1.0 method=GET status=201 body=[]': [
    'stubs.set',
    { body: { stubs: [{ path: '/rest/webhooks/1.0', method: 'GET', status: 201, body: [] }], append: true } },
  ],
  'stubs add /x match.query.n=5 match.headers.x-a.$match=^a': [
    'stubs.set',
    {
      body: {
        stubs: [{ path: '/x', match: { query: { n: '5' }, headers: { 'x-a': { $match: '^a' } } } }],
        append: true,
      },
    },
  ],
  'faults add status=503 match.body={"a":1}': [
    'faults.set',
    { body: { faults: [{ match: { body: { a: 1 } }, effect: { status: 503 } }], append: true } },
  ],
  'stubs clear 2': ['stubs.clear', { query: { number: '2' } }],
  'journal ppf.push status=400': ['journal.read', { query: { operation: 'ppf.push', status: '400' } }],
  'journal verify ppf.push times=2': ['journal.verify', { body: { operation: 'ppf.push', times: 2 } }],
  'provider-states change small-team': ['provider-states.change', { query: { state: 'small-team' }, body: {} }],
};

const wrong: Record<string, string> = {
  'clock x': 'expected set, advance, freeze or run',
  'clock stop': '(did you mean "clock freeze"?)',
  'clock PT1H': '(did you mean "clock advance PT1H"?)',
  'faults sett': '(did you mean "set"?)',
  'faults delete': '(did you mean "faults clear"?)',
  'snapshots create': '(did you mean "snapshots keep"?)',
  'journal foo': 'an entry such as 3, an operation such as ppf.push or a path such as /',
  'journal ppf.psh': '(did you mean "ppf.push"?)',
  'journal operaton=ppf.push': '(did you mean "operation"?)',
  'journal 3 4': 'unexpected argument "4"',
  explain: 'missing argument <entry>. Example: cwx-fake explain 3',
  'faults add ppf.push': 'give at least one of delay, hold, rateLimit, status',
  'clock advance': 'missing argument <duration>. Example: cwx-fake clock advance PT1H',
  'fork copy 3 at=4': 'at is given twice',
  'drop ../x': 'is not a valid sandbox name',
};

describe('the verbs for a running fake', () => {
  for (const [line, [id, input]] of Object.entries(understood))
    it(`understand ${line}`, () => {
      const found = inputOf(line);
      if ('errors' in found) throw new Error(found.errors.join('\n'));
      const { verb, call, ...rest } = found;
      const { params, query, ...body } = call;
      const given = {
        ...(Object.keys(params).length > 0 && { params }),
        ...(Object.keys(query).length > 0 && { query }),
      };
      expect(verb.action.id).to.equal(id);
      expect({ ...rest, ...given, ...body }).to.deep.equal(input);
    });

  for (const [line, says] of Object.entries(wrong))
    it(`say what is right instead of ${line}`, () => {
      const found = inputOf(line);
      expect('errors' in found && found.errors.join('\n')).to.contain(says);
    });

  it('name a field that was written as a flag', async () => {
    const { code, stderr } = await run(['journal', '--status', '404']);
    expect(code).to.equal(2);
    expect(stderr).to.match(/^cwx-fake journal: .*--status.* status=503$/m);
  });

  it('have an example for each field, which fits its schema', () => {
    for (const { words, fields } of verbs)
      for (const [field, schema] of Object.entries(fields)) {
        const text = exampleOf(field);
        expect(text, `${words.join(' ')} ${field}`).to.not.equal('');
        const errors = [text, parsedJson(text, text)].map(value => schemaErrors(schema, value));
        expect(
          errors.some(list => list.length === 0),
          `${words.join(' ')} ${field}=${text}`,
        ).to.equal(true);
      }
  });

  it('show in the help of each command how to write each field, and real values in every example', async () => {
    for (const command of runningFakeCommands) {
      const { stdout } = await run([command, '--help']);
      const fields = verbs.filter(({ words }) => words[0] === command).flatMap(verb => Object.keys(verb.fields));
      for (const field of fields) expect(stdout, command).to.match(new RegExp(`^ +${field}=\\S`, 'm'));
      expect(stdout.slice(stdout.indexOf('\nExamples:'))).to.not.contain('…');
    }
  });
});
