// Requests that Node itself would leave without a response, and clients that leave: neither disturbs others, nor fills the log.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Log } from '../../server/engine/log.js';
import { start } from '../../server/process/start.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { requestBytes } from '../support/wire/raw-connection.js';
import { send, sendJson, sendRaw, useServer } from '../support/wire/server.js';

const HEALTH = '/_fake/health';
const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const JOIN = '{"group":"customers","users":["alice"]}';

describe('CONNECT', () => {
  const server = useServer();
  const tunnel = 'CONNECT wiki.example.com:443 HTTP/1.1\r\nHost: wiki.example.com:443\r\n\r\n';

  const sent: Record<string, readonly [bytes: string, statuses: readonly string[]]> = {
    alone: [tunnel, ['501']],
    'with bytes for the tunnel behind it': [`${tunnel}\x16\x03\x01`, ['501']],
    'to a path': [`CONNECT ${HEALTH} HTTP/1.1\r\nHost: localhost\r\n\r\n`, ['501']],
    'behind a request that it must not hide': [requestBytes('POST', ADD, JOIN) + tunnel, ['200', '501']],
    'twice, of which the second is for the tunnel': [tunnel + tunnel, ['501']],
  };
  for (const [what, [bytes, statuses]] of Object.entries(sent))
    it(`is refused, and the connection ends: ${what}`, async () => {
      const received = await sendRaw(server.url, Buffer.from(bytes, 'latin1'));
      expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).to.deep.equal(statuses);
      expect(received).to.match(
        /CONNECT is not supported: this server is not a proxy\. Send requests to its own URL\."\}$/,
      );
      expect((await send(server.url + HEALTH)).status).to.equal(200);
    });
});

describe('clients that reset their connections', () => {
  const half = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\n`;
  const stages: Record<string, string> = {
    'within a body': `${half}Content-Length: 1000\r\n\r\n{`,
    'within a chunk': `${half}Transfer-Encoding: chunked\r\n\r\nff\r\n{`,
    'before a held response': requestBytes('POST', `/~held${ADD}`, JOIN),
    'within a slow response': requestBytes('POST', `/~slow${ADD}`, JOIN),
    'in a stream of events': requestBytes('GET', '/_fake/v1/sandboxes/default/events'),
  };
  for (const [what, bytes] of Object.entries(stages))
    it(`are in no log: ${what}`, async () => {
      const logged: string[] = [];
      const note = (message: string) => void logged.push(message);
      const log: Log = { info: () => {}, warn: note, error: note };
      const fake = await start(settingsFrom('small-team', { port: '0' }), log);
      if (isProblems(fake)) throw new Error(JSON.stringify(fake.problems));
      const effects = { held: { hold: 'gate' }, slow: { dribble: { bytes: 1, every: 1_000 } } };
      for (const [sandbox, effect] of Object.entries(effects)) {
        const url = `${fake.url}/_fake/v1/sandboxes/${sandbox}`;
        await sendJson(url, 'PUT', {});
        await sendJson(`${url}/faults`, 'PUT', { faults: [{ operation: 'groups.add-users', effect }] });
      }
      const sockets = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const socket = connect(Number(new URL(fake.url).port), '127.0.0.1');
          await once(socket, 'connect');
          await new Promise(resolve => socket.write(bytes, resolve));
          return socket;
        }),
      );
      expect((await send(fake.url + HEALTH)).status).to.equal(200); // they have arrived
      for (const socket of sockets) socket.resetAndDestroy();
      expect((await send(fake.url + HEALTH)).status).to.equal(200); // they have left
      await fake.stop();
      expect(logged).to.deep.equal([]);
    });
});
