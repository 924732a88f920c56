// The flag by which every command that reports is told which reports to write.
// Writes nothing.
import type { Flag } from '../settings.js';
import { parseReports } from './formats.js';

export const reportFlag: Flag = {
  name: 'report',
  value: 'junit=f,ctrf=f,md=f,github',
  description: 'write reports',
  check: value => {
    const parsed = parseReports(value);
    return 'problem' in parsed ? parsed.problem : undefined;
  },
};
