// Writes events as server-sent events (HTML standard, 9.2), as fast as the reader takes them.

import type { ServerResponse } from 'node:http';
import type { SandboxEvent } from '../../engine/events/event.js';
import type { Feed } from '../../engine/events/feed.js';
import { realTime } from '../../engine/real-time.js';

export interface StreamSettings {
  /** Milliseconds between keep-alive comments. */
  readonly heartbeat: number;
  /** Reconnection time for readers, in milliseconds. */
  readonly retry: number;
}

export const usualStreamSettings: StreamSettings = { heartbeat: 15_000, retry: 2_000 };

/** Time in milliseconds for a reader to take its last event. */
const LEAVE_MS = 1_000;

/** Writes the events of a feed until the reader leaves, is cut off, or the feed is closed. */
export async function streamEvents(response: ServerResponse, feed: Feed, { heartbeat, retry }: StreamSettings) {
  response.once('close', () => feed.close());
  if (response.destroyed || response.req.method === 'HEAD') return end(response, feed);
  response.write(`retry: ${retry}\nid: ${feed.id}\n\n`);
  const beat = realTime.setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, heartbeat);
  try {
    for await (const event of feed) {
      if (response.destroyed) break;
      if (!writeEvent(response, event)) await taken(response, feed);
    }
  } finally {
    realTime.clearInterval(beat);
    end(response, feed);
  }
}

/** The latest data in JSON: all readers of a sandbox get the same, and share the bytes of a long one. */
let latest: { readonly data: unknown; readonly json: string | Buffer } | undefined;

/** Characters of a short event, which is written in one piece. */
const SHORT = 16_384;

function jsonOf(data: unknown): string | Buffer {
  if (latest !== undefined && latest.data === data) return latest.json;
  const text = JSON.stringify(data);
  const json = text.length > SHORT ? Buffer.from(text) : text;
  latest = { data, json };
  return json;
}

/** JSON has no line breaks, so the data is one line. Returns whether the reader keeps up. */
function writeEvent(response: ServerResponse, { id, type, data }: SandboxEvent): boolean {
  const head = `id: ${id}\nevent: ${type}\ndata: `;
  const json = jsonOf(data);
  if (typeof json === 'string') return response.write(`${head}${json}\n\n`);
  response.cork();
  response.write(head);
  response.write(json);
  const isTaken = response.write('\n\n');
  response.uncork();
  return isTaken;
}

/** Resolves when more can be written, or the stream is over. */
function taken(response: ServerResponse, feed: Feed): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      forget();
      resolve();
    };
    response.on('drain', done).on('close', done);
    const forget = feed.whenOver(() => realTime.queueMicrotask(done));
    if (response.destroyed) done();
  });
}

/** Ends the response; closes the connection of a reader that does not take it. */
function end(response: ServerResponse, feed: Feed): void {
  feed.close();
  response.end();
  if (response.destroyed) return;
  const impatience = realTime.setTimeout(() => response.destroy(), LEAVE_MS);
  response.once('close', () => realTime.clearTimeout(impatience));
}
