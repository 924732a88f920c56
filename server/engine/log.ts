// What the server says to its log, whoever writes it. What happens to requests is in the journals, not here.

export interface Log {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

/** For who wants to hear nothing. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
