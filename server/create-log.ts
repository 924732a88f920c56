// The log, to standard error, by pino. It is loaded with the first line: most servers end without having had anything to say.
import type { Logger } from 'pino';
import type { Output } from './command-process.js';
import { type Log, silentLog } from './engine/log.js';
import type { Settings } from './settings.js';

/** A log whose lines come in the order in which they were said. */
export function createLog(how: Settings['log'], stderr: Output): Log {
  if (how === 'silent') return silentLog;
  let logger: Promise<Logger> | undefined;
  const say = (level: keyof Log) => (message: string, details?: object) => {
    logger ??= how === 'json' ? jsonLogger(stderr) : prettyLogger(stderr);
    void logger.then(writer => writer[level](details ?? {}, message));
  };
  return { info: say('info'), warn: say('warn'), error: say('error') };
}

async function jsonLogger(stderr: Output): Promise<Logger> {
  const { pino } = await import('pino');
  return pino({ base: null }, stderr.fd === undefined ? stderr : pino.destination({ fd: stderr.fd, sync: true }));
}

async function prettyLogger(stderr: Output): Promise<Logger> {
  const [{ pino }, { default: pretty }] = await Promise.all([import('pino'), import('pino-pretty')]);
  const colorize = stderr.isTTY ?? false;
  return pino(
    { base: null },
    pretty({
      destination: stderr.fd ?? stderr,
      sync: true,
      colorize,
      ignore: 'pid,hostname',
      translateTime: 'HH:MM:ss',
    }),
  );
}
