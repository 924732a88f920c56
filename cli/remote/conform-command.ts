// `cwx-fake conform`: plays the rules suite against another server and judges each rule.

import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inWorld, loadProbes, probesFor } from '../../harness/calibrate/probes.js';
import { conform as conformTo } from '../../harness/conform/conform.js';
import { checkOfRule } from '../../harness/conform/conform-report.js';
import { ruleIds, rulesMeant, suiteFor } from '../../harness/conform/suite-run.js';
import { isMissed, type Verdict } from '../../harness/conform/verdicts.js';
import type { RestApi } from '../../harness/target/rest-api.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { checkedBy } from '../../server/settings/flag-checks.js';
import { clientCertificateFlags } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';
import { parsedBy } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit, fail, usable } from '../command/command.js';
import { Progress } from '../terminal/progress.js';
import { showChecks } from '../terminal/show-checks.js';
import { proposedMap } from './proposed-map.js';
import { type OutsideOptions, outsideFlags } from './remote-flags.js';
import { runRemote } from './remote-run.js';

const only = {
  name: 'only',
  value: 'rule',
  description: 'check only this rule; groups.* checks all rules that begin with groups; repeatable',
  example: 'groups.add-users',
  repeatable: true,
  check: checkedBy(rulesMeant),
} as const;

const allowUndetermined = {
  name: 'allow-undetermined',
  description: 'exit with 0 even if rules are undetermined that a sound server would have shown',
} as const;

const writeMap = {
  name: 'write-map',
  value: 'file.yaml',
  description: 'propose a map from what the server has, write it to a new file, and change nothing',
  example: 'names.yaml',
} as const;

const verbose = { name: 'verbose', description: 'show every failed step of a broken rule' } as const;

export const conformCommand: Command = {
  name: 'conform',
  summary:
    'Check which rules of the document a server follows. Before it changes anything there, it lists the changes and asks for confirmation.',
  usage: '',
  flags: [...outsideFlags, only, writeMap, allowUndetermined, verbose, ...clientCertificateFlags],
  examples: [
    [
      'cwx-fake conform --target https://wiki.example.com/confluence --as admin:secret --map names.yaml',
      'check your server',
    ],
    [
      'cwx-fake conform --wiki https://wiki.example.com --tracker https://jira.example.com --as admin:secret --write-map names.yaml',
      'propose a map to start with',
    ],
    ['cwx-fake conform --target http://127.0.0.1:8080 --yes --only "groups.*"', 'check some rules, without asking'],
    ['cwx-fake conform --target http://127.0.0.1:8080 --yes --report junit=conform.xml,github', 'in CI'],
  ],
  run: runConform,
};

function runConform(args: Arguments, process: Process): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  const wanted = wantedRules(args.values);
  const file = args.values['write-map'];
  return runRemote(
    {
      name: 'conform',
      to: 'stdout',
      load: (folders, world) => {
        const suite = usable(suiteFor(wanted, folders));
        return { suite, probes: inWorld(probesFor(suite, usable(loadProbes(folders))), world) };
      },
      instead: typeof file === 'string' ? (api, options) => proposeMap(file, api, options, process) : undefined,
      conclude: async (suites, context, { url }) => {
        const progress = new Progress(stderr, suites.probes.length + suites.suite.length);
        const { verdicts, readings, ended, unstable } = await conformTo(wanted, suites, context, label =>
          progress.next(label),
        );
        progress.end();
        const found = Object.entries(readings).map(([gap, reading]) => `${gap}=${reading}`);
        writeLine(stderr, `Readings found: ${found.join(', ') || 'none'}.`);
        if (unstable !== undefined) writeLine(stderr, `The server is unstable: ${unstable}.`);
        const checks = verdicts.map(verdict => checkOfRule(verdict, context.target));
        const isVerbose = args.values.verbose === true;
        showChecks(
          isVerbose ? checks : verdicts.map(verdict => checkOfRule(verdict, context.target, 'short')),
          stdout,
          env,
        );
        const title = `The rules of the document on ${url}`;
        const notGiven = new Set(context.target.notGiven.values());
        const isGiven = ({ reason = '' }: Verdict) => !notGiven.has(reason);
        const missed = args.values['allow-undetermined'] === true ? [] : verdicts.filter(isMissed).filter(isGiven);
        return { title, checks, readings, missed: missed.length, ...(ended !== undefined && { ended }) };
      },
    },
    args,
    process,
  );
}

/** An existing file may have been edited. */
async function proposeMap(
  file: string,
  api: RestApi,
  { names, url }: OutsideOptions,
  { stderr, cwd }: Process,
): Promise<ExitCode> {
  const path = resolve(cwd(), file);
  if (existsSync(path)) fail(exit.usage, `--write-map ${file}: the file exists; delete it, or write to another`);
  const text = await proposedMap(api, names, url);
  writeFileSync(path, text);
  const missing = text.match(/^# missing .*$/gm) ?? [];
  writeLine(stderr, `Wrote ${file}. Check it, then run conform with --map ${file}.`);
  for (const line of missing) writeLine(stderr, line.slice(2));
  return exit.passed;
}

function wantedRules({ only: words }: FlagValues): readonly string[] {
  if (words === undefined) return ruleIds;
  const meant = parsedBy(rulesMeant, words).flat();
  return ruleIds.filter(rule => meant.includes(rule));
}
