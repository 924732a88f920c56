// Chooses the readings to try: every other one of each gap that decided, alone, and the pairs that touch the request together.
import { expect } from 'chai';
import { type Tried, trialsOf } from '../../../../harness/verify/judging/trials.js';
import { OwnFake } from '../../../../harness/verify/providers/own-fake.js';
import type { HttpRequest } from '../../../../server/derive/sending/call.js';
import type { SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { asAdmin } from '../running.js';

const named = ({ chosen }: Tried) => chosen.map(({ gap, reading }) => `${gap}=${reading}`).join(' ');
const of = (tried: readonly Tried[], name: string) => tried.find(one => named(one) === name)?.explained.response;

async function tried(request: HttpRequest, readings: SomeReadings = {}) {
  const fake = await OwnFake.of(undefined, { readings });
  try {
    await fake.begin(0, []);
    const base = await fake.ask(0, request, {});
    const { tried: all } = await trialsOf(fake, 0, request, base);
    const alone = all.flatMap(one => (one.kind === 'alone' ? one : []));
    return { base, alone, pairs: all.flatMap(one => (one.kind === 'pair' ? one : [])) };
  } finally {
    await fake.close();
  }
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): HttpRequest {
  return {
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

const add = post('/rest/cwxapiextension/latest/groups/add-users', { group: 'customers', users: ['alice'] });

describe('trials', () => {
  it('start from the same world each, whatever the previous one changed', async () => {
    const { base, alone, pairs } = await tried(add, { 'no-change': '409' });
    expect(base.response.status).to.not.equal(409);
    expect([...alone, ...pairs].map(({ explained }) => explained.response.status)).to.not.include(409);
  });

  it('of pairs find the gap that only decides under another reading of the first', async () => {
    const request = post('/rest/cwx-ppf/latest/push', { users: ['alice'], filters: [99] }, asAdmin);
    const { base, pairs } = await tried(request);
    const later = pairs.filter(({ chosen }) => chosen.some(({ gap }) => base.gaps[gap] === undefined));
    expect(base.gaps).to.not.have.property('ppf-error-body');
    expect(later.map(named)).to.include('ppf-unknown-item=400 ppf-error-body=messages');
    expect(of(pairs, 'ppf-unknown-item=400 ppf-error-body=empty')?.text).to.equal('');
  });
});
