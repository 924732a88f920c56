// Server-sent events by fetch, which can send a token, unlike EventSource.
import type { ServerEvents } from './wire.js';

export type ServerEvent = {
  [T in keyof ServerEvents]: { readonly type: T; readonly data: ServerEvents[T] };
}[keyof ServerEvents];

export interface ReceivedEvent {
  /** For resuming after this event. */
  readonly id: string;
  /** Absent: the stream only reports its position. */
  readonly event?: ServerEvent;
}

/** Reads a stream to its end. */
export async function* receiving(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const received = receivedIn(block);
        if (received !== undefined) yield received;
      }
    }
  } finally {
    await reader.cancel();
  }
}

/** `undefined`: a keep-alive comment. */
function receivedIn(block: string): ReceivedEvent | undefined {
  const fields = new Map(
    block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
  );
  const id = fields.get('id');
  if (id === undefined) return undefined;
  const [type, data] = [fields.get('event'), fields.get('data')];
  if (type === undefined || data === undefined) return { id };
  return { id, event: { type, data: JSON.parse(data) } as ServerEvent }; // as the API's document says
}
