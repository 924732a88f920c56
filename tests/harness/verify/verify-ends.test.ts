// No contract and no target can end a run without results: the interaction that is the reason fails or is corrected, and all others are judged.
import { execFileSync } from 'node:child_process';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { expect } from 'chai';
import type { Json } from '../../../harness/verify/contract/contract.js';
import { numberAll } from '../../../harness/verify/native/numbered-interactions.js';
import { asks, contractOf, ppf, pushes, replies, verifying } from './running.js';

const push = { users: ['alice'], filters: [10500] };

function withHeaders(interaction: Json, headers: Json): Json {
  const request = interaction.request as { headers: Json };
  return { ...interaction, request: { ...request, headers: { ...request.headers, ...headers } } };
}

describe('verify: recorded length and hop-by-hop headers', () => {
  for (const headers of [
    { 'Content-Length': '61' },
    { 'content-length': '3' },
    { 'Content-Length': 'many' },
    { 'Transfer-Encoding': 'chunked' },
    { 'Transfer-Encoding': 'gzip' },
    { Connection: 'Upgrade', Upgrade: 'h2c', TE: 'trailers' },
    { Connection: 'close', 'Keep-Alive': 'timeout=5', 'Proxy-Connection': 'keep-alive' },
    { Expect: '200-ok', Host: 'jira.example.com:8080' },
  ])
    it(`are not sent: ${JSON.stringify(headers)}`, async () => {
      const { verdicts } = await verifying(
        contractOf(
          [withHeaders(pushes('recorded', push, replies(200)), headers), pushes('plain', push, replies(200))],
          ppf,
        ),
      );
      expect(verdicts.map(({ outcome, classification }) => [outcome, classification.kind])).to.deep.equal([
        ['passed', 'documented'],
        ['passed', 'documented'],
      ]);
    });

  it('are not sent with a body that a state rewrites shorter', async () => {
    const interaction = asks(
      'rewritten',
      '/rest/cwxapiextension/latest/pages/permission/view/add',
      {
        pageId: 'a page id that is much longer than the real one',
        users: ['alice'],
      },
      replies(200),
      { providerStates: [{ name: 'page exists', params: { space: 'ds', title: 'Plan', id: '4711' } }] },
    );
    const request = interaction.request as Json;
    const { verdicts } = await verifying(
      contractOf([
        withHeaders(
          {
            ...interaction,
            request: {
              ...request,
              generators: { body: { '$.pageId': { type: 'ProviderState', expression: 'pageId' } } },
            },
          },
          { 'Content-Length': '97' },
        ),
        asks(
          'plain',
          '/rest/cwxapiextension/latest/groups/add-users',
          { group: 'customers', users: ['alice'] },
          replies(200),
        ),
      ]),
    );
    expect(verdicts[0]?.problem).to.equal(undefined);
    expect(verdicts[0]?.exchange?.request.body).to.contain('4711');
    expect(verdicts[1]?.outcome).to.equal('passed');
  });
});

/** A server that responds to each path with these bytes, or does something else with the connection. */
async function target(byPath: Readonly<Record<string, string | ((socket: Socket) => void)>>) {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      const [, path = ''] = /^\S+ (\S+) HTTP/.exec(data.toString('latin1')) ?? [];
      const what = byPath[path] ?? GOOD;
      if (typeof what === 'string') socket.end(what, 'latin1');
      else what(socket);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const GOOD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** Ends the process of Pact's verifier, as a defect in it would. */
function killVerifier(): void {
  const pids = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'native/process.js'], { encoding: 'utf8' });
  for (const pid of pids.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
}

describe('verify: a target', () => {
  const interactions = ['/one', '/odd', '/three', '/four'].map(path => asks(path, path, {}, replies(200)));
  for (const [name, odd, problem] of [
    ['that never responds', () => {}, /does not answer: no response within 0\.5 s\.$/],
    ['that closes the connection', (socket: Socket) => socket.destroy(), /^The target broke off the connection: /],
    [
      'that cuts a response off',
      'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort',
      /^The target broke off the connection: /,
    ],
    ['that responds with nonsense', 'nonsense\r\n\r\n', /does not answer: /],
    ['with an invalid status code', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', /invalid status code 99/],
    ['with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', /does not answer: /],
    [
      'that switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
      /switches protocols/,
    ],
    [
      'that compresses badly',
      `${GOOD.replace('\r\n', '\r\nContent-Encoding: gzip\r\n')}`,
      /^Pact's verifier could not judge the response: error decoding response body\.$/,
    ],
    ['with a trailer', `${GOOD.replace('\r\n', '\r\nTrailer: X-Sum\r\n')}`, undefined],
    [
      'during which the verifier ends',
      (socket: Socket) => {
        killVerifier();
        socket.end(GOOD);
      },
      /^Pact's verifier could not judge the response: ended without a result/,
    ],
  ] as const)
    it(`${name} costs only that interaction`, async function () {
      this.timeout(60_000);
      const { url, close } = await target({ '/odd': odd as string });
      try {
        const { verdicts } = await verifying(contractOf(interactions), { target: { url, headers: {}, patience: 500 } });
        const others = verdicts.filter(({ interaction }) => interaction.description !== '/odd');
        expect(others.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed']);
        const [found] = verdicts.filter(({ interaction }) => interaction.description === '/odd');
        if (problem !== undefined) expect(found?.problem).to.match(problem);
        expect(found?.outcome).to.be.oneOf(['failed', 'unverified', ...(problem === undefined ? ['passed'] : [])]);
      } finally {
        close();
      }
    });

  it('that stops responding is given up after three requests, and the others are not tried', async () => {
    const hang = () => {};
    const paths = Array.from({ length: 30 }, (_, i) => `/path-${i}`);
    const { url, close } = await target(Object.fromEntries(paths.slice(1).map(path => [path, hang])));
    try {
      const contract = contractOf(paths.map(path => asks(path, path, {}, replies(200))));
      const { verdicts } = await verifying(contract, { target: { url, headers: {}, patience: 500 } });
      const notTried = paths.slice(4).map(() => 'unverified');
      expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal([
        'passed',
        'failed',
        'failed',
        'failed',
        ...notTried,
      ]);
    } finally {
      close();
    }
  });
});

describe('verify: a request', () => {
  it('is numbered without changing the contract', () => {
    const contract = contractOf([withHeaders(pushes('recorded', push, replies(200)), { 'Content-Length': '61' })], ppf);
    numberAll([contract]);
    expect(JSON.stringify(contract.document)).to.contain('Content-Length');
  });
});
