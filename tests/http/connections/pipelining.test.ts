// Pipelined requests of one connection are performed in the order of arrival, however long their bodies take to read.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RawConnection, requestBytes, responsesIn } from '../../support/wire/raw-connection.js';
import { entriesIn, sendJson, useServer, worldIn } from '../../support/wire/server.js';

const below = (sandbox: string, operation: string) => `/~${sandbox}/rest/cwxapiextension/latest/groups/${operation}`;
const customers = (...users: readonly string[]) => JSON.stringify({ group: 'customers', users });

function packed(path: string, body: string): string {
  const bytes = gzipSync(body);
  const headers = ['Content-Type: application/json', 'Content-Encoding: gzip', `Content-Length: ${bytes.length}`];
  return requestBytes('POST', path, undefined, headers) + bytes.toString('latin1');
}

describe('pipelined requests', () => {
  const server = useServer();

  const operationsIn = async (sandbox: string) => (await entriesIn(server, sandbox)).map(({ operation }) => operation);
  const armed = async (sandbox: string, effect: object) => {
    const url = `${server.url}/_fake/v1/sandboxes/${sandbox}`;
    await sendJson(url, 'PUT', {});
    const { status } = await sendJson(`${url}/faults`, 'PUT', { faults: [{ operation: 'groups.add-users', effect }] });
    expect(status).to.equal(200);
  };
  const membersIn = async (sandbox: string) => (await worldIn(server, sandbox)).groups.customers;

  it('are performed in order: a compressed body makes the plain one behind it wait', async () => {
    const connection = await RawConnection.to(server.url);
    connection.write(
      packed(below('packed', 'add-users'), customers('alice')) +
        requestBytes('POST', below('packed', 'set-users'), customers()) +
        requestBytes('POST', below('packed', 'add-users'), customers('carol')),
    );
    const received = await connection.until(text => responsesIn(text).length === 3);
    connection.close();
    expect(responsesIn(received).map(({ headers }) => headers['x-fake-operation'])).to.deep.equal([
      'groups.add-users',
      'groups.set-users',
      'groups.add-users',
    ]);
    expect(await operationsIn('packed')).to.deep.equal(['groups.add-users', 'groups.set-users', 'groups.add-users']);
    expect(await membersIn('packed')).to.deep.equal(['carol']);
  });

  it('are dropped if the connection ends before their turn', async () => {
    await armed('gone', { hangUp: true });
    const connection = await RawConnection.to(server.url);
    connection.write(
      requestBytes('POST', below('gone', 'add-users'), customers('alice')) +
        requestBytes('POST', below('gone', 'set-users'), customers('carol')).repeat(20),
    );
    await connection.untilClosed();
    expect(await operationsIn('gone')).to.deep.equal(['groups.add-users']);
    expect(await membersIn('gone')).to.deep.equal([]);
  });
});
