// The log, to standard error, by pino; what happens to requests is in the journals, not here.
import { type Logger, pino } from 'pino';
import type { Settings } from './settings.js';

export async function createLog(how: Settings['log']): Promise<Logger> {
  if (how === 'silent') return pino({ level: 'silent' });
  if (how === 'json') return pino({ base: null }, pino.destination({ fd: 2, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(
    { base: null },
    pretty({
      destination: 2,
      sync: true,
      colorize: process.stderr.isTTY ?? false,
      ignore: 'pid,hostname',
      translateTime: 'HH:MM:ss',
    }),
  );
}
