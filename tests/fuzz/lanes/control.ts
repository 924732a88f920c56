// The fuzz's own control requests: worlds, journals, resets. Through Node's client, which shares no code with the fuzz's reader.
import { Agent, request } from 'node:http';
import type { Entry } from '../judging/judged.js';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export class Control {
  /** Without keep-alive: on a busy machine the server may close an idle connection just as it is used. */
  readonly #agent = new Agent({ maxSockets: 16 });

  constructor(readonly port: number) {}

  /** Any request, through Node's client. Rejects if no whole response arrives within this many milliseconds. */
  ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Buffer,
    within = 60_000,
  ): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const asked = request({
        agent: this.#agent,
        port: this.port,
        host: '127.0.0.1',
        method,
        path,
        headers: { Host: 'localhost', ...headers },
      });
      asked.on('error', reject);
      asked.on('response', response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      asked.setTimeout(within, () => asked.destroy(new Error(`${method} ${path} is not answered within ${within} ms`)));
      asked.end(body);
    });
  }

  /** A request of the control API that must succeed. */
  async order(method: string, path: string, value?: unknown): Promise<unknown> {
    const body = value === undefined ? undefined : Buffer.from(JSON.stringify(value));
    const headers =
      body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    const response = await this.ask(method, `/_fake/v1${path}`, headers, body);
    const text = response.body.toString();
    if (response.status >= 300)
      throw new Error(`${method} ${path} is answered ${response.status}: ${text.slice(0, 300)}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Whether a sandbox of this name exists. */
  async has(name: string): Promise<boolean> {
    return (await this.ask('GET', `/_fake/v1/sandboxes/${name}`)).status === 200;
  }

  /** A fresh sandbox of this name, with a frozen clock. */
  async renew(name: string, clock: string): Promise<void> {
    await this.order('PUT', `/sandboxes/${name}`, { clock });
  }

  world(name: string): Promise<unknown> {
    return this.order('GET', `/sandboxes/${name}/world`);
  }

  async entries(name: string, since = 0): Promise<readonly Entry[]> {
    const { entries } = (await this.order('GET', `/sandboxes/${name}/journal?since=${since}`)) as { entries: Entry[] }; // as its document says
    return entries;
  }

  /**
   * The world of a sandbox, after `take` has received each entry that led to it, after the entry `since`. A request whose sender broke the
   * connection may be performed between two readings: both are read again then.
   */
  async worldAfter(name: string, since: number, take: (entry: Entry) => void): Promise<unknown> {
    let last = since;
    let entries = await this.entries(name, last);
    for (;;) {
      for (const entry of entries) {
        last = entry.id;
        take(entry);
      }
      const world = await this.world(name);
      entries = await this.entries(name, last);
      if (entries.length === 0) return world;
    }
  }

  end(): void {
    this.#agent.destroy();
  }
}
