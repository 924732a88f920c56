// The log to standard error, by pino, loaded with the first line: most servers never log.
import type { Logger } from 'pino';
import { visible } from '../derive/text/visible.js';
import { type Log, type LoggedRequest, silentLog } from '../engine/log.js';
import { warningsOf } from '../operations/gaps/gaps.js';
import type { Settings } from '../settings/settings.js';
import { painterFor } from './colors.js';
import type { Environment, OutputStream } from './command-process.js';
import { droppingWriter } from './dropping-output.js';
import { requestFields, requestLine } from './request-line.js';

/**
 * A log that keeps the order of lines. In a terminal and as JSON it has a line for each request. Lines that standard error does not take are dropped,
 * and the next one says how many.
 */
export function createLog(how: Settings['log'], stderr: OutputStream, env: Environment = process.env): Log {
  if (how === 'silent') return silentLog;
  let logger: Promise<Logger> | undefined;
  const say = (level: 'info' | 'warn' | 'error') => (message: string, details?: object) => {
    logger ??= how === 'json' ? jsonLogger(write) : prettyLogger(write, stderr.isTTY === true);
    void logger.then(writer => writer[level](details ?? {}, message));
  };
  const write = droppingWriter(stderr, dropped =>
    say('warn')('log lines were dropped because standard error could not keep up', { dropped }),
  );
  const info = say('info');
  const request = requestWriter(how, stderr, write, env, info);
  return { info, warn: say('warn'), error: say('error'), ...(request !== undefined && { request }) };
}

type Write = (text: string) => void;

function requestWriter(
  how: Settings['log'],
  stderr: OutputStream,
  write: Write,
  env: Environment,
  info: Log['info'],
): Log['request'] {
  if (how === 'json') return request => info('request', requestFields(request));
  if (stderr.isTTY !== true) return undefined;
  const paint = painterFor(stderr, env);
  const warned = new Set<string>();
  return (request: LoggedRequest) => {
    write(`${requestLine(request, new Date(), paint)}\n`);
    const { operation, gaps = {} } = request.result ?? {};
    for (const warning of warningsOf(gaps)) {
      if (warned.has(`${operation} ${warning}`)) continue; // each mistake once
      warned.add(`${operation} ${warning}`);
      write(`${paint('yellow', `         warning: ${visible(warning)}`)}\n`);
    }
  };
}

async function jsonLogger(write: Write): Promise<Logger> {
  const { pino } = await import('pino');
  return pino({ base: null }, { write });
}

async function prettyLogger(write: Write, colorize: boolean): Promise<Logger> {
  const [{ pino }, { prettyFactory }] = await Promise.all([import('pino'), import('pino-pretty')]);
  const pretty = prettyFactory({ colorize, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' });
  return pino({ base: null }, { write: text => write(pretty(text)) });
}
