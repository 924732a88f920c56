// Runs `cwx-fake doctor`: attacks, prints each verdict as it comes, and ends with the totals.

import type { Verdict } from '../../doctor/attack.js';
import { checkOf, jsonOf, reportOn } from '../../doctor/doctor-report.js';
import { examine } from '../../doctor/run-attacks.js';
import { type Process, writeLine } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { interruption } from '../../remote/changes/interruption.js';
import { Unreachable } from '../../scenario/play/target.js';
import { type Arguments, type ExitCode, exit, fail } from '../command.js';
import { endChecks, showChecks } from '../terminal/show-checks.js';
import { type DoctorOptions, doctorOptions } from './doctor-flags.js';

export async function runDoctor({ values }: Arguments, process: Process): Promise<ExitCode> {
  const stop = interruption(process);
  try {
    return await attack(doctorOptions(values), stop.signal, process);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return fail(process, exit.unreachable, [error.message]);
  } finally {
    stop.release();
  }
}

async function attack(
  { examination, isJson, reports }: DoctorOptions,
  signal: AbortSignal,
  process: Process,
): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  const { attacks, isThorough, patience, url } = examination;
  const startedAt = new Date();
  const started = performance.now();
  if (isThorough && attacks.some(({ waits }) => waits))
    writeLine(stderr, `Waiting for slow connections, at most ${patience / 1000} s (--patience).`);
  const tell = (verdict: Verdict) => showChecks([checkOf(verdict)], stdout, env);
  const examined = await examine({ ...examination, signal, ...(!isJson && { tell }) });
  if ('refused' in examined) return fail(process, exit.usage, [examined.refused]);
  const { verdicts, left } = examined;
  const of = { verdicts, url: url.origin, version: packageVersion(), startedAt, duration: performance.now() - started };
  endChecks(reportOn(of), process, { reports, json: isJson ? jsonOf(of) : undefined });
  if (left !== undefined) writeLine(stderr, `The sandbox ${left} could not be dropped; it expires by itself.`);
  return exitCodeOf(verdicts, signal.aborted);
}

/** An undetermined verdict changes it only if nothing passed. */
export function exitCodeOf(verdicts: ReadonlyArray<Pick<Verdict, 'judgement'>>, isCutShort: boolean): ExitCode {
  const has = (judgement: Verdict['judgement']) => verdicts.some(verdict => verdict.judgement === judgement);
  if (has('open')) return exit.failed;
  if (isCutShort) return exit.empty;
  if (has('failed to ask')) return exit.unreachable;
  return has('passed') ? exit.passed : exit.empty;
}
