// Servers with one hole each: a real fake behind a layer with the hole. And how the doctor is run against them.
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Verdict } from '../../server/doctor/attack.js';
import { attacks } from '../../server/doctor/attacks.js';
import { type Examination, type Examined, examine } from '../../server/doctor/run-attacks.js';
import { silentLog } from '../../server/engine/log.js';
import { limitedServer } from '../../server/http/connections/connections.js';
import { selfSigned } from '../../server/http/connections/self-signed.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { assemble } from '../../server/server.js';
import { type FlagValues, settingsFrom } from '../../server/settings.js';

export interface StandIn {
  readonly url: string;
  /** The highest number of connections open at the same time. */
  readonly mostConnections: () => number;
  stop(): Promise<void>;
}

/** The hole: it may answer instead of the fake, or change the fake's requests. */
export type Hole = (request: IncomingMessage, response: ServerResponse, fake: () => void) => void;

export interface Broken {
  readonly hole?: Hole;
  readonly flags?: FlagValues;
  readonly options?: ServerOptions;
  readonly host?: string;
  /** HTTPS is served; `or-plain`: plain HTTP too, on the same port. */
  readonly tls?: 'only' | 'or-plain';
}

export async function standIn({ hole, flags = {}, options = {}, host = '127.0.0.1', tls }: Broken): Promise<StandIn> {
  const settings = settingsFrom(undefined, flags);
  const assembled = await assemble(settings, silentLog);
  if (isProblems(assembled)) throw new Error(JSON.stringify(assembled.problems));
  const fake = assembled.app.callback();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const pass = () => void fake(request, response);
    if (hole === undefined) pass();
    else hole(request, response, pass);
  };
  const isOwn = Object.keys(options).length === 0;
  const credentials = tls && selfSigned(['127.0.0.1']);
  const own = () => limitedServer(settings, answer, silentLog, undefined, undefined, credentials).server;
  const server = isOwn ? own() : createServer(options, answer);
  if (tls === 'or-plain') takePlainToo(server, answer);
  let open = 0;
  let most = 0;
  server.on('connection', socket => {
    open++;
    most = Math.max(most, open);
    socket.once('close', () => open--);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port, so it is no pipe
    mostConnections: () => most,
    stop: async () => {
      assembled.end();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A client without a handshake (RFC 8446, 5.1) is answered without TLS. */
function takePlainToo(server: Server, answer: RequestListener): void {
  const plain = createServer(answer);
  const [secure] = server.listeners('connection') as Array<(socket: Socket) => void>;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      if (first[0] === 0x16) secure?.call(server, socket);
      else plain.emit('connection', socket);
    });
  });
}

/** An address of this machine other than loopback; without one, an address that only a server for all addresses answers at. */
export const otherAddress =
  Object.values(networkInterfaces())
    .flatMap(faces => faces ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.2';

/** Runs the doctor with little time. `only`: these attacks. */
export async function examined(
  url: string,
  { only, ...rest }: Partial<Examination> & { readonly only?: readonly string[] } = {},
): Promise<Examined> {
  const wanted = attacks.filter(({ name }) => only?.includes(name) ?? true);
  const found = await examine({
    url: new URL(url),
    answerTime: 5_000,
    patience: 2_500,
    isThorough: true,
    longest: 60_000,
    connections: 64,
    isTooMany: false,
    addresses: [otherAddress],
    attacks: wanted,
    signal: new AbortController().signal,
    ...rest,
  });
  if ('refused' in found) throw new Error(found.refused);
  return found;
}

/** The names of the attacks with this verdict. */
export function named({ verdicts }: Examined, judgement: Verdict['judgement']): string[] {
  return verdicts.filter(verdict => verdict.judgement === judgement).map(({ attack }) => attack.name);
}
