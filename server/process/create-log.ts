// The log to standard error, by pino, loaded with the first line: most servers never log.
import type { Logger } from 'pino';
import { visible } from '../derive/text/visible.js';
import { type Log, type LoggedRequest, silentLog } from '../engine/log.js';
import { warningsOf } from '../operations/gaps/gaps.js';
import type { Settings } from '../settings.js';
import { type Environment, type Output, writeLine } from './command-process.js';
import { painterFor } from './paint.js';
import { requestFields, requestLine } from './request-line.js';

/** A log that keeps the order of lines. In a terminal and as JSON it has a line for each request. */
export function createLog(how: Settings['log'], stderr: Output, env: Environment = process.env): Log {
  if (how === 'silent') return silentLog;
  let logger: Promise<Logger> | undefined;
  const say = (level: 'info' | 'warn' | 'error') => (message: string, details?: object) => {
    logger ??= how === 'json' ? jsonLogger(stderr) : prettyLogger(stderr);
    void logger.then(writer => writer[level](details ?? {}, message));
  };
  const info = say('info');
  const request = requestWriter(how, stderr, env, info);
  return { info, warn: say('warn'), error: say('error'), ...(request !== undefined && { request }) };
}

function requestWriter(how: Settings['log'], stderr: Output, env: Environment, info: Log['info']): Log['request'] {
  if (how === 'json') return request => info('request', requestFields(request));
  if (stderr.isTTY !== true) return undefined;
  const paint = painterFor(stderr, env);
  const warned = new Set<string>();
  return (request: LoggedRequest) => {
    writeLine(stderr, requestLine(request, new Date(), paint));
    const { operation, gaps = {} } = request.result ?? {};
    for (const warning of warningsOf(gaps)) {
      if (warned.has(`${operation} ${warning}`)) continue; // each mistake once
      warned.add(`${operation} ${warning}`);
      writeLine(stderr, paint('yellow', `         warning: ${visible(warning)}`));
    }
  };
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
