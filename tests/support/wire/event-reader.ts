// Reads server-sent events as the HTML standard says they are read (9.2.6): of what a fetch brings, or of text.

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Reading {
  readonly events: Received[];
  /** The last id that counts, also where no event came with it. */
  lastId: string;
  retry: number | undefined;
  comments: number;
}

export class EventReader implements Reading {
  readonly events: Received[] = [];
  lastId = '';
  retry: number | undefined;
  comments = 0;
  #type = '';
  #data: string[] = [];
  #rest = '';

  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') this.#dispatch();
    else if (line.startsWith(':')) this.comments += 1;
    else this.#field(line);
  }

  #field(line: string): void {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') this.#type = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.lastId = value;
    else if (field === 'retry') this.retry = Number(value);
    else throw new Error(`no field of an event: ${line}`);
  }

  #dispatch(): void {
    const text = this.#data.join('\n');
    const type = this.#type;
    this.#data = [];
    this.#type = '';
    if (text !== '') this.events.push({ id: this.lastId, type, data: JSON.parse(text) as Received['data'] }); // the server's own JSON
  }
}

export interface Listening extends Reading {
  readonly response: Response;
  count(events: number): Promise<readonly Received[]>;
  readonly ended: Promise<void>;
  leave(): void;
}

export async function listen(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  if (response.body === null || response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const reader = new EventReader();
  const waiting: Array<() => void> = [];
  const body = response.body;
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      reader.add(decoder.decode(chunk as Uint8Array, { stream: true })); // the body of a fetch is bytes
      for (const wake of waiting) wake();
    }
  })().catch(error => {
    if (!controller.signal.aborted) throw error;
  });
  return Object.assign(reader, {
    response,
    ended,
    count: async (events: number) => {
      while (reader.events.length < events) await new Promise<void>(resolve => waiting.push(resolve));
      return reader.events;
    },
    leave: () => controller.abort(),
  });
}
