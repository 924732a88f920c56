// Sends a request again if its response may be a passing failure, more slowly if the server asks for that, and reads only what has appeared.
import { expect } from 'chai';
import { PatientTarget } from '../../../harness/target/patient-target.js';
import { simulatedTime } from '../../support/other-servers/conforming.js';

const PUSH = 'POST /rest/cwx-ppf/latest/push';
const COPY = 'POST /rest/cwxapiextension/latest/spaces/copySpace?targetSpaceKey=NEW';
const READ = 'GET /rest/api/group';

const requestOf = (text: string) => {
  const [method = '', path = ''] = text.split(' ');
  return { method, path, headers: {} };
};

function responding(statuses: readonly number[], headers: Readonly<Record<string, string>> = {}) {
  const left = [...statuses];
  const time = simulatedTime();
  const sent: number[] = [];
  let [busy, most] = [0, 0];
  const send = async () => {
    sent.push(time.now());
    busy += 1;
    most = Math.max(most, busy);
    await new Promise(setImmediate);
    busy -= 1;
    return { status: left.shift() ?? 200, headers, text: '' };
  };
  const said: string[] = [];
  const server = { url: 'http://server.test', context: '', send, close: async () => {} };
  const target = new PatientTarget(server, time, undefined, text => said.push(text));
  return { target, said, sent, time, most: () => most };
}

describe('a request to another server', () => {
  it('is sent again while its response may be a passing failure, unless it was perhaps done', async () => {
    for (const [request, statuses, believed, count] of [
      [PUSH, [503, 200], 200, 2],
      [PUSH, [503, 400], 400, 2],
      [PUSH, [503, 503, 503, 503, 200], 503, 4],
      [PUSH, [500, 200], 200, 2],
      [PUSH, [500, 500, 200], 500, 2],
      [PUSH, [500, 409], 500, 2], // perhaps it was done the first time
      [PUSH, [404, 200], 404, 1],
      [PUSH, [429, 429, 429, 429, 429, 429, 201], 201, 7],
      [READ, [502, 504, 408, 200], 200, 4],
      [COPY, [503, 200], 503, 1], // perhaps it was done
      [COPY, [429, 200], 200, 2],
    ] as const) {
      const { target, sent, said } = responding(statuses);
      expect((await target.send(requestOf(request))).status, `${request} ${statuses}`).to.equal(believed);
      expect(sent).to.have.length(count);
      if (count > 1) expect(said.join()).to.include(`${requestOf(request).path} got ${statuses[0]}`);
    }
  });

  it('waits as Retry-After asks, and sends the next ones more slowly and one at a time', async () => {
    const { target, sent, most } = responding([429], { 'retry-after': '7' });
    await target.send(requestOf(PUSH));
    expect(sent).to.deep.equal([0, 7000]);
    await Promise.all([1, 2, 3].map(() => target.send(requestOf(READ))));
    expect(most()).to.equal(1);
    expect(sent.slice(2).map((at, i) => at - (sent[i + 1] ?? 0))).to.satisfy((gaps: number[]) =>
      gaps.every(one => one >= 50),
    );
    expect(target.notes.join('\n'))
      .to.include('got 429')
      .and.to.match(/Waited 7 seconds in all/);
  });

  it('gives up a server that stays busy for a minute', async () => {
    const { target } = responding(Array(200).fill(429), { 'retry-after': '10' });
    expect((await target.send(requestOf(PUSH))).status).to.equal(429);
  });

  it('sends at most four reads at once', async () => {
    const { target, most } = responding([]);
    await Promise.all(Array.from({ length: 20 }, () => target.send(requestOf(READ))));
    expect(most()).to.equal(4);
  });

  it('reads after a change only when it can have appeared', async () => {
    const { target, sent } = responding([]);
    target.lag = 30_000;
    await target.send(requestOf(READ));
    await target.send(requestOf(PUSH));
    await target.send(requestOf(READ));
    expect(sent).to.deep.equal([0, 0, 30_000]);
    expect(target.notes).to.deep.equal(['Waited 30 seconds in all for changes to appear.']);
  });

  it('remembers the spaces that were asked for', async () => {
    const { target } = responding([]);
    await target.send(requestOf(COPY));
    expect([...target.copies]).to.deep.equal(['NEW']);
  });
});
