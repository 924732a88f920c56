// Bounds the memory of responses that wait for their readers.
import { Socket } from 'node:net';
import type { Admission } from '../engine/admission.js';
import type { Log } from '../engine/log.js';
import { throttled } from './connections/log-throttle.js';
import { EVENT_STREAM } from './events.js';
import type { Middleware } from './incoming/context.js';

/** A response of fewer bytes is not counted: the system buffers it. */
const COUNTED = 16_384;
/** Bytes that a streamed text keeps for its reader. Event streams have a bound of their own. */
const STREAMED = 262_144;

/** `most`: bytes of large responses. Beyond, the clients that have not read for the longest time are disconnected. */
export function slowReaders(log: Log, admission: Admission, most: number): Middleware {
  /** In the order in which they began. */
  const reading = new Set<Socket>();
  const warn = throttled(() => log.warn('clients that read too slowly were disconnected, because of --max-memory'));
  return async (ctx, next) => {
    await next();
    const { res } = ctx;
    const { socket } = res;
    const bytes = ctx.length ?? (ctx.type === EVENT_STREAM ? 0 : STREAMED);
    if (bytes < COUNTED || res.closed || !(socket instanceof Socket)) return; // in process there is no connection
    reading.add(socket);
    admission.responses += bytes;
    res.once('close', () => {
      reading.delete(socket);
      admission.responses -= bytes;
    });
    for (const other of reading) {
      if (admission.responses <= most) return;
      if (other.writableLength === 0) continue;
      warn();
      other.destroy();
    }
  };
}
