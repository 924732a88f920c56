// How the client reads unexpected responses: from faults, proxies, and servers without explanations.
import { expect } from 'chai';
import { clientFor } from '../../../server/library/client/client.js';
import type { HttpResponse } from '../../../server/library/client/received.js';
import { failure } from '../../support/worlds/failure.js';

const pushing = { users: ['alice'], filters: [10500] };

/** The response to a push at a server that always sends this one. */
function pushed(response: Partial<HttpResponse>) {
  const client = clientFor(async () => ({ status: 200, headers: {}, text: '', ...response }));
  return client.ppf.push({ body: pushing });
}

describe('a response, as the client reads it', () => {
  const done = JSON.stringify({ success: true, messages: [] });

  it('is a reply if status and body are declared, and has no reasons if the server gives none', async () => {
    expect(await pushed({ text: done })).to.deep.equal({
      ok: true,
      status: 200,
      body: { success: true, messages: [] },
      headers: {},
      rules: [],
      gaps: {},
    });
  });

  const others: [what: string, response: Partial<HttpResponse>, body: unknown, message?: string][] = [
    ['another status', { status: 201, text: done }, { success: true, messages: [] }],
    ['no body', {}, undefined],
    ['a body of another shape', { text: '{"success":"yes","messages":[]}' }, { success: 'yes', messages: [] }],
    ['a page of a proxy', { status: 502, text: '<h1>Bad Gateway</h1>' }, '<h1>Bad Gateway</h1>'],
    ['a message', { status: 500, text: '{"message":"broken"}' }, { message: 'broken' }, 'broken'],
    ['several messages', { status: 400, text: '{"messages":["a","b"]}' }, { messages: ['a', 'b'] }, 'a\nb'],
    [
      'the messages of the tracker',
      { status: 403, text: '{"errorMessages":["a"],"errors":{}}' },
      { errorMessages: ['a'], errors: {} },
      'a',
    ],
  ];
  for (const [what, response, body, message] of others) {
    it(`is not a reply with ${what}`, async () => {
      const read = await pushed(response);
      expect(read).to.deep.include({ ok: false, status: response.status ?? 200, body });
      expect('message' in read ? read.message : undefined).to.equal(message);
    });
  }

  it('is not a reply if a body is missing or unexpected', async () => {
    const adding = (status: number, text: string) =>
      clientFor(async () => ({ status, headers: {}, text })).groups.addUsers({ body: { group: 'a', users: [] } });
    expect(await adding(204, '')).to.include({ ok: true });
    expect(await adding(204, '{}')).to.include({ ok: false });
    expect(await adding(200, '')).to.include({ ok: true });
    expect(await adding(200, '{"done":true}')).to.include({ ok: false });
  });
});

describe('a call', () => {
  it('fails as its transport fails', async () => {
    const client = clientFor(() => Promise.reject(new Error('nobody answers')));
    expect((await failure(client.ppf.push({ body: pushing }), Error)).message).to.equal('nobody answers');
  });

  it('of an unknown operation suggests the nearest, for callers without a compiler', async () => {
    const client = clientFor(async () => ({ status: 200, headers: {}, text: '' }));
    const error = await failure(client.call('groups.add-user' as never, {} as never), Error);
    expect(error.message).to.equal('Unknown operation "groups.add-user" (did you mean "groups.add-users"?).');
  });
});
