// Errors that nothing catches: they are logged, and the server goes on.
import { expect } from 'chai';
import type { Log } from '../../server/engine/log.js';
import { logUncaught } from '../../server/process/uncaught.js';

describe('an error that nothing catches', () => {
  let logged: unknown[];
  let stop: () => void;
  /** Those of mocha, which would fail the test. */
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  let others: Array<readonly [event: string, listener: (...args: unknown[]) => void]>;
  beforeEach(() => {
    others = events.flatMap(event =>
      process.rawListeners(event).map(listener => [event, listener as () => void] as const),
    );
    for (const event of events) process.removeAllListeners(event);
    logged = [];
    const error: Log['error'] = (message, details) => void logged.push([message, details]);
    stop = logUncaught({ info: () => {}, warn: () => {}, error });
  });
  afterEach(() => {
    stop();
    for (const [event, listener] of others) process.on(event, listener);
  });

  const origins: Readonly<Record<string, (error: Error) => void>> = {
    'in a timer': error =>
      void setTimeout(() => {
        throw error;
      }),
    'in a listener of a stream': error =>
      void process.nextTick(() => {
        throw error;
      }),
    'in a promise': error => void Promise.reject(error),
  };
  for (const [where, fail] of Object.entries(origins))
    it(`is logged: ${where}`, async () => {
      const error = new Error('on purpose');
      fail(error);
      await new Promise(resolve => setTimeout(resolve, 10));
      expect(logged).to.deep.equal([['a bug in cwx-fake', { err: error }]]);
    });
});
