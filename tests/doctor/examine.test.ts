// The doctor as a guest: bounded, polite, clear about what it could not try, and without a trace afterwards.
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { attackNames, attacks } from '../../server/doctor/attacks.js';
import { shownBytes } from '../../server/doctor/escaped-bytes.js';
import { type Examination, examine } from '../../server/doctor/run-attacks.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { until } from '../support/worlds/until.js';
import { examined, named, standIn } from './stand-ins.js';

const examination: Omit<Examination, 'url'> = {
  answerTime: 300,
  patience: 300,
  isThorough: true,
  longest: 60_000,
  connections: 16,
  isTooMany: false,
  addresses: [],
  attacks,
  signal: new AbortController().signal,
};

describe('an examination', function () {
  this.timeout(30_000);
  const open: Array<() => void> = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
  });
  const serve = async (listener: RequestListener): Promise<URL> => {
    const server = createServer(listener);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    open.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // it listens on a port, so it is not a pipe
  };
  const failure = async (url: URL) =>
    examine({ ...examination, url }).then(
      () => expect.fail('it was examined'),
      (error: unknown) => error,
    );

  it('attacks only a fake, and reports any other server', async () => {
    const requests: string[] = [];
    const url = await serve((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(404).end('no');
    });
    expect(await examine({ ...examination, url })).to.deep.equal({
      refused: `${url.origin} is no cwx-fake: /_fake/health answers 404. The doctor attacks nothing else.`,
    });
    expect(requests).to.deep.equal(['GET /_fake/health']);
    const silent = await serve(() => {});
    expect(await examine({ ...examination, url: silent })).to.deep.equal({
      refused: `${silent.origin} does not answer in time.`,
    });
  });

  it('rejects if the server does not answer', async () => {
    const url = await serve(() => {});
    for (const close of open.splice(0)) close();
    const error = await failure(url);
    expect(error).to.be.instanceOf(Unreachable);
    expect(String(error)).to.include(`127.0.0.1:${url.port} does not answer: the connection is refused`);
  });

  it('does not start with a rejected token', async () => {
    const server = await standIn({ flags: { 'control-token': 'let-me-in' } });
    const found = await examine({ ...examination, url: new URL(server.url), token: 'let-me-out' });
    expect(found).to.deep.equal({ refused: `${server.url}: the control API does not take this token.` });
    await server.stop();
  });

  it('keeps to its number of connections', async () => {
    const server = await standIn({});
    await examined(server.url, {
      connections: 16,
      patience: 200,
      only: ['slow-headers', 'slow-body', 'idle-connections', 'large-body'],
    });
    expect(server.mostConnections()).to.be.within(12, 16);
    await server.stop();
  });

  it('reports which attacks failed if the server dies, and counts none of them as passed', async () => {
    let isDead = false;
    const server = await standIn({
      hole: (request, _, fake) => {
        isDead ||= request.url?.includes('etc') === true;
        if (!isDead) fake();
      },
    });
    const found = await examined(server.url, {
      only: ['foreign-host', 'path-traversal', 'cors-headers', 'prototype-names', 'server-errors'],
      answerTime: 100,
    });
    expect(named(found, 'passed')).to.deep.equal(['foreign-host', 'cors-headers']);
    expect(named(found, 'failed to ask')).to.deep.equal(['path-traversal', 'prototype-names']);
    expect(named(found, 'open')).to.deep.equal(['server-errors']);
    expect(found.verdicts[2]?.says).to.match(/^there was no answer within 0\.1 s to [A-Z]+ \//);
    expect(found.left).to.match(/^doctor-[0-9a-f]{8}$/);
    await server.stop();
  });

  it('ends when interrupted, and drops its sandbox all the same', async () => {
    const dropped: string[] = [];
    const stop = new AbortController();
    const server = await standIn({
      hole: (request, _, fake) => {
        if (request.method === 'DELETE') dropped.push(request.url ?? '');
        if (request.headers.origin !== undefined) stop.abort();
        fake();
      },
    });
    const found = await examined(server.url, { signal: stop.signal, patience: 20_000 });
    expect(found.verdicts.length).to.be.below(10);
    expect(dropped).to.have.length(1);
    expect(dropped[0]).to.match(/^\/_fake\/v1\/sandboxes\/doctor-[0-9a-f]{8}$/);
    expect(found.left).to.equal(undefined);
    await server.stop();
  });

  it('reports verdicts in order, each as soon as it is known', async () => {
    const server = await standIn({});
    const reported: string[] = [];
    const only = ['foreign-host', 'silent-connection', 'server-errors'];
    await examined(server.url, { only, patience: 100, tell: ({ attack }) => reported.push(attack.name) });
    expect(reported).to.deep.equal(only);
    await server.stop();
  });

  it('skips slow attacks unless it is thorough', async () => {
    const server = await standIn({});
    const only = ['foreign-host', 'slow-headers', 'slow-body', 'silent-connection'];
    const { verdicts } = await examined(server.url, { only, isThorough: false, patience: 75_000 });
    expect(verdicts.map(({ judgement, says }) => [judgement, says]).slice(1)).to.deep.equal(
      Array(3).fill(['not applicable', 'it waits for up to 75 s: give --thorough']),
    );
    expect(verdicts[0]?.judgement).to.equal('passed');
    await server.stop();
  });

  it('ends when its time is over, and lists what it has not tried', async () => {
    let isStuck = false;
    const server = await standIn({
      hole: (request, _, fake) => {
        isStuck ||= request.url?.includes('etc') === true;
        if (!isStuck) fake();
      },
    });
    const only = ['foreign-host', 'path-traversal', 'prototype-names'];
    const found = await examined(server.url, { only, isThorough: false, longest: 2_000, answerTime: 3_600_000 });
    expect(found.verdicts.map(({ judgement, says }) => [judgement, says])).to.deep.equal([
      ['passed', '10 tries: 10 × 421'],
      ['not finished', 'not finished within 2 s: --thorough waits'],
      ['not finished', 'not finished within 2 s: --thorough waits'],
    ]);
    await server.stop();
  });

  for (const token of ['a', 'ab', 'abc', 'ppf', 'job', '200']) {
    it(`reports no leak by accident: the token ${token}`, async () => {
      const server = await standIn({ flags: { 'control-token': token } });
      const found = await examined(server.url, { token, only: ['wrong-token', 'secrets', 'error-details'] });
      expect(named(found, 'passed')).to.deep.equal(['wrong-token', 'secrets', 'error-details']);
      await server.stop();
    });
  }

  it('shows no token it was given', async () => {
    const server = await standIn({ flags: { 'control-token': 'let-me-in' } });
    const only = attackNames.filter(name => !['unread-answers', 'endless-growth'].includes(name)); // slow, and with little output
    const { verdicts } = await examined(server.url, { token: 'let-me-in', patience: 100, only });
    expect(JSON.stringify(verdicts)).not.to.include('let-me-in');
    await server.stop();
  });

  it('leaves no connection open', async () => {
    const server = await standIn({});
    await examined(server.url, { only: ['idle-connections', 'request-smuggling', 'slow-body'], patience: 100 });
    const probe = connect(Number(new URL(server.url).port), '127.0.0.1');
    await new Promise(resolve => probe.once('connect', resolve));
    await until(() => process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length <= 4); // Node closes them a moment later
    probe.destroy();
    await server.stop();
  });
});

describe('shown bytes', () => {
  it('are one short line, with nothing invisible and nothing secret', () => {
    expect(shownBytes('a\r\nb\t\0\u0001é')).to.equal('a\\r\\nb\\t\\0\\u{1}\\u{e9}');
    expect(shownBytes('Bearer abc, abc', ['abc'])).to.equal('Bearer ***, ***');
    expect(shownBytes('a'.repeat(1000), [], 20)).to.equal('aaaaaaaaaa…(980 more)…aaaaaaaaaa');
  });
});
