// Runs `cwx-fake conform`: plays the suite and shows the verdict on each rule.

import { type Process, writeLine } from '../../process/command-process.js';
import { probesFor } from '../../remote/calibrate/knowledge.js';
import { loadProbes } from '../../remote/calibrate/probes.js';
import { checkOf } from '../../remote/conform/conform-report.js';
import { OwnServer } from '../../remote/conform/diagnosis/own-server.js';
import { examine } from '../../remote/conform/examine.js';
import { ruleIds, rulesMeant, suiteFor } from '../../remote/conform/suite.js';
import { verdictsOn } from '../../remote/conform/verdicts.js';
import { isProblems } from '../../scenario/yaml/problem.js';
import { type FlagValues, listOf } from '../../settings.js';
import type { Arguments, ExitCode } from '../command.js';
import { showChecks } from '../terminal/show-checks.js';
import { type Conclusion, type RemoteCommand, type RemoteRun, runRemote } from './remote-run.js';

export function runConform(args: Arguments, process: Process): Promise<ExitCode> {
  const wanted = wantedRules(args.values);
  const command: RemoteCommand = {
    name: 'conform',
    to: 'stdout',
    load: (folders, world) => {
      const suite = suiteFor(wanted, folders);
      if (isProblems(suite)) return suite;
      const probes = loadProbes(folders);
      return isProblems(probes) ? probes : { suite, probes: probesFor(suite, probes, world) };
    },
    conclude: run => conclude(run, wanted, process),
  };
  return runRemote(command, args, process);
}

async function conclude(
  run: RemoteRun,
  wanted: readonly string[],
  { stdout, stderr, env }: Process,
): Promise<Conclusion> {
  const { names, url, target } = run;
  const own = new OwnServer(run);
  const examination = await examine(run, target, { ...run, own });
  const { known, calibration, played, cleanups, ended } = examination;
  const found = Object.entries(known).map(([gap, reading]) => `${gap}=${reading}`);
  if (calibration !== undefined) writeLine(stderr, `Readings found: ${found.join(', ') || 'none'}.`);
  if (played === undefined) return { cleanups, ...(ended !== undefined && { ended }) };
  const verdicts = verdictsOn(wanted, played.run.files, names.adminThere, played.controls);
  const checks = verdicts.map(verdict => checkOf(verdict, url));
  showChecks(checks, stdout, env);
  return {
    cleanups,
    report: { title: `The rules of the document on ${url}`, checks, properties: { target: url, ...known } },
    ...(played.run.ended !== undefined && { ended: played.run.ended }),
  };
}

function wantedRules({ only: words }: FlagValues): readonly string[] {
  if (words === undefined) return ruleIds;
  const meant = listOf(words).flatMap(word => {
    const rules = rulesMeant(word);
    return 'problem' in rules ? [] : rules; // each has been checked with its flag
  });
  return ruleIds.filter(rule => meant.includes(rule));
}
