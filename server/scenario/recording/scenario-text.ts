// Writes a recorded scenario as YAML.
import { stringify } from 'yaml';
import { visible } from '../../derive/text/visible.js';
import type { Recorded } from './recorded.js';

export function scenarioText({ scenario, leftOut }: Recorded): string {
  const yaml = stringify(scenario, { version: '1.2', schema: 'core', aliasDuplicateObjects: false, lineWidth: 0 });
  const left = leftOut.map(
    ({ entry, asked, why }) => `# Left out: entry ${entry}, ${visible(asked)}. ${visible(why)}\n`,
  );
  return `# Recorded by cwx-fake record. To check it: cwx-fake check. To play it: cwx-fake play.\n${left.join('')}${yaml}`;
}
