// What `cwx-fake doctor` does: attacks, tells each verdict as it comes, and ends with what that amounts to.
// Judges nothing itself.

import type { Verdict } from '../doctor/attack.js';
import { attacks } from '../doctor/attacks.js';
import { jsonOf, reportOn } from '../doctor/report.js';
import { examine } from '../doctor/run.js';
import { showSummary, showVerdict } from '../doctor/told-verdicts.js';
import { interruption } from '../outside/interruption.js';
import { packageVersion } from '../package.js';
import { writeReports } from '../report/write.js';
import { Unreachable } from '../scenario/play/target.js';
import { painter, wantsColour } from '../show/paint.js';
import { type Arguments, type ExitCode, exit } from './command.js';
import { type DoctorOptions, doctorOptions } from './doctor-flags.js';

export async function runDoctor({ values }: Arguments): Promise<ExitCode> {
  const stop = interruption(tell);
  try {
    return await attack(doctorOptions(values), stop.signal);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    tell(error.message);
    return exit.unreachable;
  } finally {
    stop.release();
  }
}

async function attack({ examination, wanted, isJson, reports }: DoctorOptions, signal: AbortSignal): Promise<ExitCode> {
  const { patience, url } = examination;
  const meant = attacks.filter(({ name }) => wanted.has(name));
  const startedAt = new Date();
  const started = performance.now();
  if (meant.some(({ isSlow }) => isSlow))
    tell(`Slow connections are waited for, at most ${patience / 1000} s (--patience).`);
  const paint = painter(wantsColour(process.stdout.isTTY === true, process.env));
  const show = (verdict: Verdict) => {
    for (const line of showVerdict(verdict, paint)) say(line);
  };
  const examined = await examine({ ...examination, attacks: meant, signal, ...(!isJson && { tell: show }) });
  if ('refused' in examined) return refuse(examined.refused);
  const { verdicts, left } = examined;
  const of = { verdicts, url: url.origin, version: packageVersion(), startedAt, duration: performance.now() - started };
  say(isJson ? JSON.stringify(jsonOf(of), null, 2) : showSummary(verdicts));
  if (left !== undefined) tell(`The sandbox ${left} could not be dropped; it goes when it has been idle long enough.`);
  for (const problem of writeReports(reportOn(of), reports, { env: process.env, print: isJson ? tell : say }))
    tell(problem);
  return outcome(verdicts, signal.aborted);
}

function outcome(verdicts: readonly Verdict[], isCutShort: boolean): ExitCode {
  const has = (judgement: Verdict['judgement']) => verdicts.some(verdict => verdict.judgement === judgement);
  if (has('open')) return exit.failed;
  if (isCutShort) return exit.empty;
  if (has('failed to ask')) return exit.unreachable;
  return has('held') ? exit.held : exit.empty;
}

function refuse(says: string): ExitCode {
  tell(says);
  return exit.usage;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
