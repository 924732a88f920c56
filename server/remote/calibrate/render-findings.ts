// Findings as lines for people, and as a report: what is not known is undetermined. Knows no terminal and no format of reports.
import { visible } from '../../derive/text/visible.js';
import { nearestProfile } from '../../operations/gaps/profiles.js';
import type { Check, Report } from '../../report/report.js';
import type { Calibration } from './calibrate.js';
import type { Finding, Observation } from './finding.js';
import { findingText, type Occasion } from './readings-text.js';

/** One line for a gap, and below it the answers that it stands on. */
export function showFinding(finding: Finding): string[] {
  return [findingText(finding), ...finding.observations.map(one => `    ${observationText(one)}`)];
}

/** `33 of 39 gaps are known; the nearest profile is hosts, with 30 of these readings` */
export function showCount({ findings, readings }: Calibration): string {
  const known = Object.keys(readings).length;
  const { name, otherwise } = nearestProfile(readings);
  const nearest =
    known === 0 ? '' : `; the nearest profile is ${name}, with ${known - otherwise.length} of these readings`;
  return `${known} of ${findings.length} gaps are known${nearest}`;
}

function observationText({ say, asked, status, fits, played }: Observation): string {
  const seen = played?.seen === undefined ? '' : ", and what the host's own resources show";
  return visible(`${say}: ${asked} answers ${status}${seen}, as under ${fits.join(', ') || 'no reading'}`);
}

/** `duration` is in milliseconds. */
export function reportOn(calibration: Calibration, { target, version, at }: Occasion, duration: number): Report {
  return {
    tool: 'cwx-fake calibrate',
    version,
    title: `The readings of ${target}`,
    startedAt: at,
    duration,
    checks: calibration.findings.map(checkOf),
    properties: { target, ...calibration.readings },
  };
}

function checkOf(finding: Finding): Check {
  const { gap, observations } = finding;
  const details = observations.map(observationText).join('\n');
  return {
    suite: gap.startsWith('ppf-') ? 'ppf' : 'wiki',
    name: 'reading' in finding ? `${gap}=${finding.reading}` : gap,
    verdict: 'reading' in finding ? 'passed' : 'undetermined',
    duration: 0,
    ...('undetermined' in finding && { message: finding.undetermined }),
    ...(details !== '' && { details }),
    labels: [gap],
  };
}
