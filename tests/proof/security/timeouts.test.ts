// How long a connection may take to send a request, and that its end is reported once, never within another response. Asserts no time:
// the limits are a second or two, and a connection ends or it does not.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { problemIn, seenIn } from '../../security/asking.js';
import { RawConnection, requestBytes } from '../../support/wire/raw-connection.js';
import { send, sendJson, sendRaw, serving, useServer } from '../../support/wire/server.js';

const SET = '/rest/cwxapiextension/latest/groups/set-users';
const HEALTH = '/_fake/health';
const BODY = JSON.stringify({ group: 'customers', users: ['alice'] });
const healthy = async ({ url }: Running) => expect((await send(url + HEALTH)).status).to.equal(200);
const journal = async ({ url }: Running) => (await send(`${url}/_fake/v1/sandboxes/default/journal`)).text;

describe('the timeout', () => {
  const server = useServer(undefined, { 'headers-timeout': '1', 'request-timeout': '2' });

  /** Sends until the connection ends; returns what was received. */
  async function dribbled(url: string, first: string, piece: string): Promise<string> {
    const connection = await RawConnection.to(url);
    connection.write(first);
    const timer = setInterval(() => connection.write(piece), 100);
    const received = await connection.untilClosed();
    clearInterval(timer);
    return received;
  }
  const expect408 = (received: string) => {
    const seen = seenIn(received);
    expect({ status: seen.status, connection: seen.headers.connection }).to.deep.equal({
      status: 408,
      connection: 'close',
    });
    expect(problemIn(seen)).to.deep.equal({
      status: 408,
      title: 'Request Timeout',
      detail: 'The request did not arrive in time (--headers-timeout, --request-timeout).',
    });
  };

  it('ends headers that never end, bodies that never end, and silent connections', async () => {
    const before = await journal(server);
    const head = `POST ${SET} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    const [slowHeaders, slowLine, silent, ...slowBodies] = await Promise.all([
      dribbled(server.url, head, 'X-A: b\r\n'),
      dribbled(server.url, 'GET /', 'a'),
      sendRaw(server.url, ''),
      dribbled(server.url, `${head}Content-Length: 1000\r\n\r\n`, ' '),
      dribbled(server.url, `${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
      dribbled(server.url, `${head.replace('json', 'x')}Content-Length: 1000\r\n\r\n`, ' '),
      dribbled(server.url, `${head}Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n\x1f\x8b\x08`, ''),
      dribbled(server.url, `${head}Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n`, ' '),
    ]);
    for (const received of [slowHeaders, slowLine, silent, ...slowBodies])
      expect408(received.replace('HTTP/1.1 100 Continue\r\n\r\n', ''));
    const after = JSON.parse(await journal(server)) as { entries: Array<{ refused?: string }> };
    const grown = after.entries.slice((JSON.parse(before) as { entries: object[] }).entries.length);
    expect(new Set(grown.map(({ refused }) => refused))).to.deep.equal(new Set(['body-cut-short']));
    await healthy(server);
  });

  it('applies to the next request after a response as well', async () => {
    const connection = await RawConnection.to(server.url);
    connection.write(requestBytes('GET', HEALTH));
    connection.write(`GET ${HEALTH} HTTP/1.1\r\nHost: loc`);
    const received = await connection.untilClosed();
    const second = received.indexOf('HTTP/1.1', 1);
    expect(seenIn(received).status).to.equal(200);
    expect408(received.slice(second));
  });

  it('ends the connection silently if the response has been sent', async () => {
    const received = await sendRaw(
      server.url,
      `POST ${SET} HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000\r\n\r\n{`,
    );
    expect(received.match(/HTTP\/1\.1/g)).to.deep.equal(['HTTP/1.1']);
    expect(seenIn(received).status).to.equal(421);
  });

  it('does not apply to a response that a fault delays', async () => {
    const fault = { operation: 'groups.set-users', effect: { delay: 3000 } };
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'late' });
    await sendJson(`${server.url}/_fake/v1/sandboxes/late/faults`, 'PUT', { faults: [fault] });
    expect((await sendJson(`${server.url}/~late${SET}`, 'POST', JSON.parse(BODY))).status).to.equal(200);
  });

  it('is off if it is set to 0', async () => {
    const patient = await serving(undefined, {
      'headers-timeout': '0',
      'request-timeout': '0',
      'max-connections': '0',
    });
    const connection = await RawConnection.to(patient.url);
    connection.write(`GET ${HEALTH} HTTP/1.1\r\n`);
    await Promise.all([sendRaw(server.url, 'GET /'), sendRaw(server.url, '')]); // longer than a second, like the one before
    connection.write('Host: localhost\r\nConnection: close\r\n\r\n');
    expect(seenIn(await connection.untilClosed()).status).to.equal(200);
    await patient.stop();
  });
});

describe('a request that is not HTTP', () => {
  const server = useServer();

  it('lets a response that has begun end, and writes nothing into it', async () => {
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'endless' });
    const fault = {
      operation: 'groups.set-users',
      effect: { body: 'x'.repeat(20), dribble: { bytes: 1, every: 50 } },
    };
    await sendJson(`${server.url}/_fake/v1/sandboxes/endless/faults`, 'PUT', { faults: [fault] });
    const connection = await RawConnection.to(server.url);
    connection.write(requestBytes('POST', `/~endless${SET}`, BODY));
    await connection.until(received => received.includes('\r\n\r\nx'));
    connection.write('GARBAGE\r\n\r\n');
    expect(seenIn(await connection.untilClosed()).body).to.equal('x'.repeat(20));
  });
});
