// Findings as a list of checks: a known reading passes, an unknown gap is undetermined.
import { visible } from '../../server/derive/text/visible.js';
import type { Check } from '../report/report.js';
import type { Finding, Observation } from './finding.js';

export function checkOf(finding: Finding): Check {
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
