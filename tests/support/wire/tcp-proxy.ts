// A proxy between a client and a server that cuts or refuses connections, and holds back or loses responses.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Responses that are held back. */
  readonly held: Buffer[];
  /** Its next response is lost. */
  isLosing: boolean;
}

interface Loss {
  readonly request: string;
  readonly happened: () => void;
}

export class TcpProxy {
  readonly #pairs = new Set<Pair>();
  #listener: Server | undefined;
  #port = 0;
  #isHolding = false;
  #delay = 0;
  #loss: Loss | undefined;

  private constructor(private target: number) {}

  /** Listens on a free port of 127.0.0.1 and passes everything on to `port` there. */
  static async to(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    await proxy.accept();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Passes new connections on to another port. */
  turnTo(port: number): void {
    this.target = port;
  }

  /** How many connections there are. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Ends all connections, without a word; new ones can be made. */
  cut(): void {
    for (const pair of this.#pairs) this.#end(pair);
  }

  /** Ends all connections and refuses new ones, until `accept`. */
  async refuse(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener === undefined) return;
    listener.close();
    this.cut();
    await once(listener, 'close');
  }

  async accept(): Promise<void> {
    if (this.#listener !== undefined) return;
    const listener = createServer(client => this.#join(client));
    listener.listen(this.#port, '127.0.0.1');
    await once(listener, 'listening');
    this.#listener = listener;
    this.#port = (listener.address() as AddressInfo).port; // of a socket with a port, never of a pipe
  }

  /** Requests go through, and answers do not come, until `release`. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const { client, held } of this.#pairs) for (const chunk of held.splice(0)) client.write(chunk);
  }

  /** Each response comes so many milliseconds later; 0: at once. */
  delay(milliseconds: number): void {
    this.#delay = milliseconds;
  }

  /** Loses the response to the next request in which a text stands, after the server gave it, and cuts that connection. Resolves then. */
  loseResponseTo(request: string): Promise<void> {
    return new Promise(resolve => {
      this.#loss = { request, happened: resolve };
    });
  }

  async close(): Promise<void> {
    await this.refuse();
  }

  #join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    const pair: Pair = { client, server, held: [], isLosing: false };
    this.#pairs.add(pair);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {}); // a reset is seen by the end of the connection
      socket.on('close', () => this.#end(pair));
    }
    client.on('data', chunk => {
      if (this.#loss !== undefined && chunk.includes(this.#loss.request)) pair.isLosing = true;
      server.write(chunk);
    });
    server.on('data', chunk => this.#respond(pair, chunk));
  }

  #respond(pair: Pair, chunk: Buffer): void {
    if (pair.isLosing) {
      const loss = this.#loss;
      this.#loss = undefined;
      this.#end(pair);
      loss?.happened();
    } else if (this.#isHolding) pair.held.push(chunk);
    else if (this.#delay > 0) setTimeout(() => pair.client.write(chunk), this.#delay);
    else pair.client.write(chunk);
  }

  #end(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return;
    pair.client.resetAndDestroy();
    pair.server.destroy();
  }
}
