// Server-sent events (HTML standard, 9.2) as a stream, as fast as the reader takes them.
import { PassThrough, pipeline, Readable } from 'node:stream';
import type { SandboxEvent } from '../engine/events/event.js';
import type { Feed } from '../engine/events/feed.js';
import type { StreamSettings } from '../engine/events/stream-settings.js';
import { realTime } from '../engine/real-time.js';
import type { Context } from './incoming/context.js';

export const EVENT_STREAM = 'text/event-stream';

/** Time in milliseconds for a reader to take its last event. */
const LEAVE_MS = 1_000;

/** Sends the events of a feed until the reader leaves, is cut off, or the feed is closed. */
export function sendEvents(ctx: Context, feed: Feed, { heartbeat, retry }: StreamSettings): void {
  const { res } = ctx;
  res.once('close', () => feed.close());
  ctx.set('Content-Type', EVENT_STREAM);
  ctx.set('X-Accel-Buffering', 'no');
  if (ctx.req.method === 'HEAD' || res.destroyed) feed.close();
  const stream = new PassThrough();
  stream.write(`retry: ${retry}\nid: ${feed.id}\n\n`);
  pipeline(Readable.from(written(feed), { highWaterMark: 1 }), stream, () => {}); // Koa logs an error of the stream
  const beat = realTime.setInterval(() => {
    if (stream.writable && !stream.writableNeedDrain) stream.write(':\n\n');
  }, heartbeat);
  stream.once('close', () => realTime.clearInterval(beat));
  feed.whenOver(() => {
    const impatience = realTime.setTimeout(() => res.destroy(), LEAVE_MS);
    res.once('close', () => realTime.clearTimeout(impatience));
  });
  ctx.body = stream;
}

async function* written(feed: Feed): AsyncGenerator<string> {
  for await (const event of feed) yield textOf(event);
}

/** JSON has no line breaks, so the data is one line. */
function textOf({ id, type, data }: SandboxEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
