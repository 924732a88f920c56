// The globals of Node for the bundle, also where a test runs in a context of its own with the globals of a browser, as Jest and Vitest do with jsdom:
// there is no setImmediate there, timers have no unref, and Node knows no instances of its classes.
import { runInThisContext } from 'node:vm';

export const nodeGlobals = runInThisContext('globalThis');
