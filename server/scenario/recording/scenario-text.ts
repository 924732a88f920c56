// A recorded scenario as the text of its file. Here YAML is written; nothing else is decided.
import { stringify } from 'yaml';
import { visible } from '../../derive/text/visible.js';
import type { Recorded } from './recorded.js';

export function scenarioText({ scenario, leftOut }: Recorded): string {
  const yaml = stringify(scenario, { version: '1.2', schema: 'core', aliasDuplicateObjects: false, lineWidth: 0 });
  const left = leftOut.map(
    ({ entry, asked, why }) => `# Left out: entry ${entry}, ${visible(asked)}. ${visible(why)}\n`,
  );
  return `# Recorded: check it with cwx-fake check, play it with cwx-fake play.\n${left.join('')}${yaml}`;
}
