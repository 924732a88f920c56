// No contract and no target can end a run without results: the interaction that is the reason fails or is corrected, and all others are judged.
import { execFileSync } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Json } from '../../../harness/verify/contract/contract.js';
import type { Verdict } from '../../../harness/verify/contract/verdict.js';
import { numberAll, withNumber } from '../../../harness/verify/native/numbered-interactions.js';
import { listening } from '../../support/wire/server.js';
import { asks, contractOf, pactFile, ppf, pushes, replies, verifying } from './running.js';

const push = { users: ['alice'], filters: [10500] };

function withHeaders(interaction: Json, headers: Json): Json {
  const request = interaction.request as { headers: Json };
  return { ...interaction, request: { ...request, headers: { ...request.headers, ...headers } } };
}

const recordedHeaders: readonly Json[] = [
  { 'Content-Length': '61' },
  { 'Content-Length': 'many' },
  { 'Transfer-Encoding': 'chunked' },
  { Connection: 'Upgrade', Upgrade: 'h2c', TE: 'trailers' },
  { Connection: 'close', 'Keep-Alive': 'timeout=5', 'Proxy-Connection': 'keep-alive' },
  { Expect: '200-ok', Host: 'jira.example.com:8080' },
];

describe('verify: recorded length and hop-by-hop headers', () => {
  it('are not sent', async () => {
    const recorded = recordedHeaders.map(headers =>
      withHeaders(pushes(JSON.stringify(headers), push, replies(200)), headers),
    );
    const { verdicts } = await verifying(contractOf([...recorded, pushes('plain', push, replies(200))], ppf));
    expect(verdicts).to.have.length(recordedHeaders.length + 1);
    for (const { outcome, classification, interaction } of verdicts)
      expect({ outcome, kind: classification.kind }, interaction.description).to.deep.equal({
        outcome: 'passed',
        kind: 'documented',
      });
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
  const url = await listening(server);
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url, close };
}

const GOOD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** Ends the process of Pact's verifier, as a defect in it would. */
function killVerifier(): void {
  const pids = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'native/process.js'], { encoding: 'utf8' });
  for (const pid of pids.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
}

/** By what the target does: its response or what happens to the connection, and the problem that is reported. */
const oddities: ReadonlyArray<readonly [does: string, odd: string | ((socket: Socket) => void), problem: RegExp]> = [
  ['never responds', () => {}, /does not respond: no response within 2 s\.$/],
  ['closes the connection', socket => socket.destroy(), /^The target broke off the connection: /],
  [
    'cuts a response off',
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort',
    /^The target broke off the connection: /,
  ],
  ['responds with nonsense', 'nonsense\r\n\r\n', /does not respond: /],
  ['sends an invalid status code', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', /invalid status code 99/],
  ['sends two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', /does not respond: /],
  [
    'switches protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
    /switches protocols/,
  ],
  [
    'compresses badly',
    GOOD.replace('\r\n', '\r\nContent-Encoding: gzip\r\n'),
    /^Pact's verifier could not judge the response: error decoding response body\.$/,
  ],
];

describe('verify: a target', () => {
  const asking = (path: string) => asks(path, path, {}, replies(200));
  const verifyingAt = async (byPath: Parameters<typeof target>[0], paths: readonly string[]) => {
    const { url, close } = await target(byPath);
    try {
      const options = { target: { url, headers: {}, patience: 2_000 } };
      const { verdicts } = await verifying(contractOf(paths.map(asking)), options);
      return new Map(verdicts.map(verdict => [verdict.interaction.description, verdict]));
    } finally {
      close();
    }
  };

  describe('costs only the interaction during which it', () => {
    let verdicts: ReadonlyMap<string, Verdict>;
    before(async () => {
      const byPath = Object.fromEntries(oddities.map(([, odd], i) => [`/odd-${i}`, odd]));
      const paths = oddities.flatMap((_, i) => [`/odd-${i}`, `/good-${i}`]);
      verdicts = await verifyingAt(byPath, paths);
    });

    for (const [i, [does, , problem]] of oddities.entries())
      it(does, () => {
        expect(verdicts.get(`/good-${i}`)?.outcome).to.equal('passed');
        expect(verdicts.get(`/odd-${i}`)?.problem).to.match(problem);
        expect(verdicts.get(`/odd-${i}`)?.outcome).to.be.oneOf(['failed', 'unverified']);
      });

    it('ends the verifier', async () => {
      const kill = (socket: Socket) => {
        killVerifier();
        socket.end(GOOD);
      };
      const all = await verifyingAt({ '/odd': kill }, ['/one', '/odd', '/three', '/four']);
      expect(all.get('/odd')?.problem).to.match(
        /^Pact's verifier could not judge the response: ended without a result/,
      );
      for (const path of ['/one', '/three', '/four']) expect(all.get(path)?.outcome, path).to.equal('passed');
    });
  });

  it('is given up after three requests without a response, and the others are not tried', async () => {
    const paths = Array.from({ length: 8 }, (_, i) => `/path-${i}`);
    const verdicts = await verifyingAt(Object.fromEntries(paths.slice(1).map(path => [path, () => {}])), paths);
    const outcomes = [...verdicts.values()].map(({ outcome }) => outcome);
    expect(outcomes.slice(0, 4)).to.deep.equal(['passed', 'failed', 'failed', 'failed']);
    expect(new Set(outcomes.slice(4))).to.deep.equal(new Set(['unverified']));
  });
});

describe('verify: a numbered interaction', () => {
  it('has its number as the only state, in the notations of all versions, and may not fail', () => {
    const recorded = withHeaders(pushes('recorded', push, replies(400), { pending: true }), { 'Content-Length': '61' });
    const contracts = [contractOf([recorded], ppf), pactFile('v1-ruby-wiki.json')];
    const before = JSON.stringify(contracts);
    for (const { description, written } of numberAll(contracts).map(withNumber)) {
      expect(written).to.deep.include({ providerState: description, providerStates: [{ name: description }] });
      expect(written).to.not.have.any.keys('provider_state', 'pending');
    }
    expect(JSON.stringify(contracts)).to.equal(before);
  });
});
