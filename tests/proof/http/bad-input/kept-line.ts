// A kept connection: sends one request after the other as bytes, and reconnects if the server has ended the last one.
import { connect, type Socket } from 'node:net';
import { type Got, gotFrom } from '../../../http/bad-input/wire.js';

export class KeptLine {
  /** Number of connections so far. */
  connections = 0;
  #socket: Socket | undefined;

  constructor(private readonly url: string) {}

  /** The whole response; rejects if there is none. `isBare`: it has no body, whatever its headers say. */
  ask(bytes: Buffer, isBare = false): Promise<Got> {
    const socket = this.#open();
    return new Promise((resolve, reject) => {
      let response = '';
      const settle = (done: () => void) => {
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error');
        socket.on('error', () => {}); // bytes after the response are ignored
        done();
      };
      socket.on('data', chunk => {
        response += chunk.toString('latin1');
        const length = lengthOf(response, isBare);
        if (length === undefined || response.length < length) return;
        const got = gotFrom(response);
        if (got.headers.get('connection') === 'close') this.#end(socket);
        settle(() => resolve(got));
      });
      socket.on('close', () => {
        this.#end(socket);
        settle(() =>
          response === '' ? reject(new Error('the connection ended without a response')) : resolve(gotFrom(response)),
        );
      });
      socket.on('error', error => settle(() => reject(error)));
      socket.write(bytes);
    });
  }

  end(): void {
    if (this.#socket !== undefined) this.#end(this.#socket);
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const { hostname, port } = new URL(this.url);
    this.connections += 1;
    const socket = connect(Number(port), hostname);
    socket.setTimeout(20_000, () => socket.destroy(new Error('no response within 20 s')));
    this.#socket = socket;
    return socket;
  }

  #end(socket: Socket): void {
    this.#socket = undefined;
    socket.end();
  }
}

/** The whole length of a response, once its head has arrived. */
function lengthOf(response: string, isBare: boolean): number | undefined {
  const end = response.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(response.slice(0, end + 2))?.[1];
  return end + 4 + (isBare ? 0 : Number(length ?? 0));
}
