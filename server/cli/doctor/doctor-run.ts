// What `cwx-fake doctor` does: attacks, tells each verdict as it comes, and ends with what that amounts to.
// Judges nothing itself.

import type { Verdict } from '../../doctor/attack.js';
import { jsonOf, reportOn } from '../../doctor/doctor-report.js';
import { showSummary, showVerdict } from '../../doctor/render-attacks.js';
import { examine } from '../../doctor/run-attacks.js';
import { type Process, writeLine, writeLines } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { interruption } from '../../remote/changes/interruption.js';
import { painter, wantsColour } from '../../report/paint.js';
import { writeReports } from '../../report/write.js';
import { Unreachable } from '../../scenario/play/target.js';
import { type Arguments, type ExitCode, exit } from '../command.js';
import { type DoctorOptions, doctorOptions } from './doctor-flags.js';

export async function runDoctor({ values }: Arguments, process: Process): Promise<ExitCode> {
  const stop = interruption(process);
  try {
    return await attack(doctorOptions(values), stop.signal, process);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    writeLine(process.stderr, error.message);
    return exit.unreachable;
  } finally {
    stop.release();
  }
}

async function attack(
  { examination, isJson, reports }: DoctorOptions,
  signal: AbortSignal,
  { stdout, stderr, env }: Process,
): Promise<ExitCode> {
  const { attacks, isThorough, patience, url } = examination;
  const startedAt = new Date();
  const started = performance.now();
  if (isThorough && attacks.some(({ waits }) => waits))
    writeLine(stderr, `Slow connections are waited for, at most ${patience / 1000} s (--patience).`);
  const paint = painter(wantsColour(stdout.isTTY === true, env));
  const show = (verdict: Verdict) => writeLines(stdout, showVerdict(verdict, paint));
  const examined = await examine({ ...examination, signal, ...(!isJson && { tell: show }) });
  if ('refused' in examined) {
    writeLine(stderr, examined.refused);
    return exit.usage;
  }
  const { verdicts, left } = examined;
  const of = { verdicts, url: url.origin, version: packageVersion(), startedAt, duration: performance.now() - started };
  writeLine(stdout, isJson ? JSON.stringify(jsonOf(of), null, 2) : showSummary(verdicts));
  if (left !== undefined)
    writeLine(stderr, `The sandbox ${left} could not be dropped; it goes when it has been idle long enough.`);
  const print = (line: string) => writeLine(isJson ? stderr : stdout, line);
  writeLines(stderr, writeReports(reportOn(of), reports, { env, print }));
  return outcome(verdicts, signal.aborted);
}

function outcome(verdicts: readonly Verdict[], isCutShort: boolean): ExitCode {
  const has = (judgement: Verdict['judgement']) => verdicts.some(verdict => verdict.judgement === judgement);
  if (has('open')) return exit.failed;
  if (isCutShort) return exit.empty;
  if (has('failed to ask')) return exit.unreachable;
  return has('held') ? exit.held : exit.empty;
}
