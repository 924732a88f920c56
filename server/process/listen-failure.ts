// Why a server could not listen, and what to do about it.
import type { Settings } from '../settings/settings.js';

export interface ListenFailure {
  /** A clause without a full stop, as the next. */
  readonly problem: string;
  readonly fix: string;
}

export function listenFailure(
  { code, message, syscall }: NodeJS.ErrnoException,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): ListenFailure {
  if (code === 'EADDRINUSE')
    return {
      problem: `port ${port} on ${host} is already in use`,
      fix: 'choose another with --port, or a free one with --port 0',
    };
  if (syscall !== 'listen' && syscall !== 'getaddrinfo')
    return { problem: `the server cannot start: ${message}`, fix: 'remove this cause, then start it again' };
  if (code === 'EACCES')
    return { problem: `this user is not allowed to listen on port ${port}`, fix: 'choose one above 1023 with --port' };
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return { problem: `${host} is not an address of this machine`, fix: 'choose another address with --host' };
  return { problem: `cannot listen on ${host}:${port}: ${message}`, fix: 'choose another with --host and --port' };
}
