// Requests as an attacker writes them, byte by byte, each on a connection of its own.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sendRaw } from '../support/wire/server.js';

export interface Written {
  readonly method?: string;
  /** The text between method and version. */
  readonly target?: string;
  readonly version?: string;
  /** Default: `Host: localhost`. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

export interface Seen {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function written({ method = 'GET', target = '/_fake/health', version = '1.1', headers, body }: Written): string {
  const lines = [
    ...(headers ?? ['Host: localhost']),
    'Connection: close',
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${method} ${target} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

export async function asked(url: string, request: Written): Promise<Seen> {
  return seenIn(await sendRaw(url, Buffer.from(written(request), 'latin1')));
}

/** The first response in the received bytes. */
export function seenIn(received: string): Seen {
  const end = received.indexOf('\r\n\r\n');
  const [line = '', ...fields] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    fields.map(field => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: received.slice(end + 4) };
}

/** The problem in the body of a refusal before any API. */
export function problemIn({ headers, body }: Seen): { readonly status: number; readonly detail: string } {
  if (headers['content-type'] !== 'application/problem+json') throw new Error(`it is no problem: ${body}`);
  return JSON.parse(body) as { status: number; detail: string }; // its own form
}

/** Connections that read nothing until they are resumed. */
export class Deaf {
  readonly #sockets: Socket[] = [];

  async to(url: string, bytes: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {}); // its end may be a reset
    this.#sockets.push(socket);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  }

  end(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }
}
