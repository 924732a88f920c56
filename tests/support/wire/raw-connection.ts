// A connection of which a test sees every byte, and whether it has ended.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class RawConnection {
  #received = '';
  #isClosed = false;

  readonly #closed: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.on('data', chunk => {
      this.#received += chunk.toString('latin1');
    });
    socket.on('error', () => {}); // a reset is seen by the end of the connection
    this.#closed = new Promise(resolve => {
      socket.on('close', () => {
        this.#isClosed = true;
        resolve();
      });
    });
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  get received(): string {
    return this.#received;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Waits until what has come holds, or until the connection ends; gives what has come. */
  async until(holds: (received: string) => boolean): Promise<string> {
    while (!this.#isClosed && !holds(this.#received)) {
      await Promise.race([once(this.socket, 'data'), this.#closed]);
    }
    return this.#received;
  }

  async untilClosed(): Promise<string> {
    return this.until(() => false);
  }

  forget(): void {
    this.#received = '';
  }

  /** Sends nothing more. */
  end(): void {
    this.socket.end();
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }
}

export function requestBytes(method: string, path: string, body?: string, headers: readonly string[] = []): string {
  const all = [
    'Host: localhost',
    'Authorization: Bearer admin-token',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

interface ResponseBytes {
  readonly line: string;
  /** By names in lower case, without the date. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The responses in what came, each of a known length; the last may be cut short. */
export function responsesIn(received: string): ResponseBytes[] {
  const responses: ResponseBytes[] = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      fields.map(field => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]),
    );
    const { date: _, ...kept } = headers;
    const start = end + 4;
    const length = Number(headers['content-length'] ?? 0);
    responses.push({ line, headers: kept, body: rest.slice(start, start + length) });
    rest = rest.slice(start + length);
  }
  return responses;
}
