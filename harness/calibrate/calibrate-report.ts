// Findings as a list of checks, and as a YAML file for `serve --readings`.
import { visible } from '../../server/derive/text/visible.js';
import { nearestProfile } from '../../server/operations/gaps/profiles.js';
import type { Check } from '../report/report.js';
import type { Calibration } from './calibrate.js';
import type { Finding, Observation } from './finding.js';

export function checkOfReading(finding: Finding): Check {
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

function observationText({ say, asked, status, fits, isRead }: Observation): string {
  const read = isRead ? ' (effect read back)' : '';
  return visible(`${say}: ${asked} responds with ${status}${read}, as under ${fits.join(', ') || 'no reading'}`);
}

/** Server and time of a calibration. */
export interface Occasion {
  /** The URL of the server. */
  readonly target: string;
  readonly version: string;
  /** An ISO 8601 instant. */
  readonly at: string;
}

export function readingsText({ findings, readings }: Calibration, { target, version, at }: Occasion): string {
  const count = Object.keys(readings).length;
  return [
    `# The readings of ${visible(target)}: found for ${count} of ${findings.length} gaps.`,
    `# Found by cwx-fake ${version} calibrate, ${at}. For cwx-fake serve --readings. Unknown gaps follow the profile.`,
    ...profileLines(readings),
    ...findings.map(findingText),
    '',
  ].join('\n');
}

/** The nearest profile, if anything is known. */
function profileLines(readings: Calibration['readings']): string[] {
  const { name, otherwise } = nearestProfile(readings);
  const count = Object.keys(readings).length;
  if (count === 0) return [];
  const but = otherwise.length === 0 ? '' : `, but not ${otherwise.join(', ')}`;
  return [
    `# The nearest profile has ${count - otherwise.length} of these ${count} readings${but}.`,
    `profile: ${name}`,
  ];
}

/** `gap: reading`, or a comment with the reason. */
function findingText(finding: Finding): string {
  return 'reading' in finding
    ? `${finding.gap}: ${finding.reading}`
    : `# ${finding.gap}: undetermined, ${finding.undetermined}`;
}
