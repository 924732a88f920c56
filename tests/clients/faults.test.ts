// A connection broken by a fault, as fetch and curl see it, and the next request. tests/http/connections has the bytes of each effect.
import { expect } from 'chai';
import type { Fault } from '../../server/engine/faults/fault.js';
import { curlBare } from '../support/processes/curl.js';
import { send, sendJson, serving, useServer, worldIn } from '../support/wire/server.js';

const whole = '{"success":true,"messages":[]}';
const refused = '{"errorMessages":["Injected fault."],"errors":{}}';
const pushing = JSON.stringify({ users: ['alice'], filters: [10500], dashboards: [11000] });
const part = '{"success":false,"messages":["Could not push dashboard with id 11000"]}';

/** How a request ends: a status with a body, or an error with its cause. */
type Fetched =
  | { readonly status: number; readonly text: string }
  | { readonly message: string; readonly cause: string };

interface Case {
  readonly effect: Fault['effect'];
  readonly phase?: 'after';
  readonly fetched: Fetched;
  /** The exit code of curl and its output: the body, then the status. */
  readonly curled: { readonly code: number; readonly stdout: string };
  /** Whether Alice has the pushed favourite afterwards. */
  readonly isPushed: 'all' | 'some' | 'none';
}

const EMPTY_REPLY = 52;
const PARTIAL_FILE = 18;
const cases: readonly Case[] = [
  {
    effect: { dribble: { bytes: 4, every: 1 } },
    fetched: { status: 200, text: whole },
    curled: { code: 0, stdout: `${whole} 200` },
    isPushed: 'all',
  },
  {
    effect: { partial: { succeed: 1 } },
    fetched: { status: 200, text: part },
    curled: { code: 0, stdout: `${part} 200` },
    isPushed: 'some',
  },
  {
    effect: { hangUp: true },
    fetched: { message: 'fetch failed', cause: 'other side closed' },
    curled: { code: EMPTY_REPLY, stdout: ' 000' },
    isPushed: 'none',
  },
  {
    effect: { truncateAt: 5 },
    phase: 'after',
    fetched: { message: 'terminated', cause: 'other side closed' },
    curled: { code: PARTIAL_FILE, stdout: '{"suc 200' },
    isPushed: 'all',
  },
  {
    effect: { truncateAt: 0, status: 503 },
    fetched: { message: 'terminated', cause: 'other side closed' },
    curled: { code: PARTIAL_FILE, stdout: ' 503' },
    isPushed: 'none',
  },
];
const held = {
  all: { filters: [10500], dashboards: [11000] },
  some: { filters: [10500], dashboards: [] },
  none: { filters: [], dashboards: [] },
};

describe('a client that meets a fault', () => {
  const server = useServer();
  const push = () => `${server.url}/rest/cwx-ppf/latest/push`;
  beforeEach(() => send(`${server.url}/_fake/v1/sandboxes/default/reset`, { method: 'POST' }));
  const arm = async (fault: Fault) => {
    const { status, text } = await sendJson(`${server.url}/_fake/v1/sandboxes/default/faults`, 'PUT', {
      faults: [fault],
    });
    expect(status, text).to.equal(200);
  };
  const favourites = async () => (await worldIn(server)).favourites.alice;

  async function fetched(): Promise<Fetched> {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer admin-token' };
    try {
      const response = await fetch(push(), { method: 'POST', headers, body: pushing });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      expect(error).to.be.instanceOf(TypeError);
      const { message, cause } = error as TypeError;
      return { message, cause: String((cause as Error).message) };
    }
  }

  const asking = ['-u', 'admin:admin', '-H', 'Content-Type: application/json', '-d', pushing];

  for (const { effect, phase, fetched: expected, curled, isPushed } of cases) {
    const fault: Fault = { operation: 'ppf.push', times: 1, effect, ...(phase !== undefined && { phase }) };
    const name = `${JSON.stringify(effect)}${phase === undefined ? '' : ', after'}`;

    it(`reports it with fetch: ${name}`, async () => {
      await arm(fault);
      expect(await fetched()).to.deep.equal(expected);
      expect(await favourites()).to.deep.equal(held[isPushed]);
      expect(await fetched(), 'again').to.deep.equal({ status: 200, text: whole });
      expect(await favourites()).to.deep.equal(held.all);
    });

    it(`reports it with curl: ${name}`, async () => {
      await arm(fault);
      const { code, stdout } = await curlBare(['-s', '-w', ' %{http_code}', ...asking, push()]);
      expect({ code, stdout }).to.deep.equal(curled);
      expect(await favourites()).to.deep.equal(held[isPushed]);
      const again = await curlBare(['-s', '-w', ' %{http_code}', ...asking, push()]);
      expect(again).to.deep.equal({ code: 0, stdout: `${whole} 200` });
    });
  }

  it('retries by itself with curl, as Retry-After says', async () => {
    await arm({ operation: 'ppf.push', when: { first: 1 }, effect: { retryAfter: 1 } });
    const { code, stdout } = await curlBare(['-s', '--retry', '3', '-w', ' %{http_code}', ...asking, push()]);
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: `${refused}${whole} 200` });
    const { json } = await send(`${server.url}/_fake/v1/sandboxes/default/faults`);
    expect(json).to.have.nested.property('faults[0].fired', 1);
  });

  it("shows the fault's name with curl, unless the server omits explanations", async () => {
    const heads = ['-s', '-D', '-', '-o', '/dev/null', ...asking];
    await arm({ operation: 'ppf.push', effect: { status: 500, delay: 0 } });
    expect((await curlBare([...heads, push()])).stdout).to.match(/^X-Fake-Fault: 1 status delay\r$/m);
    const quiet = await serving(undefined, { 'no-explain': true });
    try {
      const faults = [{ operation: 'ppf.push', effect: { status: 500 } }];
      await sendJson(`${quiet.url}/_fake/v1/sandboxes/default/faults`, 'PUT', { faults });
      const { stdout } = await curlBare([...heads, `${quiet.url}/rest/cwx-ppf/latest/push`]);
      expect(stdout)
        .to.match(/^HTTP\/1\.1 500 /)
        .and.not.match(/X-Fake/i);
    } finally {
      await quiet.stop();
    }
  });
});
