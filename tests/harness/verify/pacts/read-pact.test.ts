// Reads pacts of every version as their writers meant them, and reports an invalid one with its place.

import { expect } from 'chai';
import type { Contract, Interaction } from '../../../../harness/verify/contract/contract.js';
import { readPact } from '../../../../harness/verify/pacts/read-pact.js';

const parties = { consumer: { name: 'web' }, provider: { name: 'push-pull' } };
const v4 = { pactSpecification: { version: '4.0' } };
const request = { method: 'post', path: '/rest/cwx-ppf/latest/push' };
const response = { status: 200 };
const plain = { description: 'a push', request, response };
const http = { ...plain, type: 'Synchronous/HTTP' };

function contractIn(value: unknown, broker?: Contract['broker']): Contract {
  const read = readPact(JSON.stringify(value), 'web.json', broker);
  if ('problems' in read) expect.fail(read.problems.join('\n'));
  return read;
}
/** Each problem with the text at its place instead of the numbers. */
function problemsIn(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const read = readPact(text, 'web.json');
  const at = (line: string, column: string) =>
    text.split('\n')[Number(line) - 1]?.slice(Number(column) - 1, Number(column) + 11);
  const withText = (problem: string) =>
    problem.replace(/^web\.json:(\d+):(\d+): /, (_, line, column) => `${at(line, column)} | `);
  return 'problems' in read ? read.problems.map(withText) : [];
}
/** The one interaction of a pact; in version 4 if `metadata` says so. */
const interactionIn = (interaction: object, metadata: object = {}): Interaction => {
  const [first] = contractIn({ ...parties, interactions: [interaction], metadata }).interactions;
  return first ?? expect.fail('there is none');
};
const statesOf = (interaction: object) => interactionIn({ ...plain, ...interaction }).states;
const expectedOf = (response: object, metadata: object = {}) =>
  interactionIn({ ...http, response: response }, metadata).expected;

describe('mistakes that a pact may have', () => {
  const body = { success: true, messages: [{ says: 'x' }], none: [] };
  const warned = (matchingRules: object, on: object = { headers: { 'Content-Type': 'x' }, body }) =>
    interactionIn({ ...plain, response: { ...response, ...on, matchingRules } }).warnings.length;
  const idle: ReadonlyArray<readonly [count: number, rules: object]> = [
    [1, { '$.body.sucess': {}, '$.body.success': {}, '$.status': {}, '$.headers.content-type': {} }],
    [1, { '$.header.X-A': {}, '$.body.messages[*].says': {}, "$.body['messages'][0]": {} }],
    [2, { body: { '$.messages[*].said': {}, '$.none[*].any': {}, '$.none.any': {}, $: {} } }],
    [1, { header: { 'Content-Type[0]': {}, 'X-A': {} }, status: { matchers: [] } }],
  ];
  for (const [count, rules] of idle)
    it(`warns of ${count} idle ones of the matching rules ${JSON.stringify(rules)}`, () => {
      expect(warned(rules)).to.equal(count);
    });

  it('warns of idle matching rules of a request, and judges none of a body that is not JSON', () => {
    const matchingRules = { query: { spacekey: {}, 'spaceKey[0]': {}, nam: {} }, path: { matchers: [] } };
    const asked = { ...plain, request: { ...request, query: { spaceKey: ['A'] }, matchingRules } };
    expect(interactionIn(asked).warnings).to.have.lengthOf(1);
    expect(warned({ body: { '$.a.b': {} } }, { body: '<a/>' })).to.equal(0);
    expect(warned({ body: { '$.a.b': {} } }, {})).to.equal(1);
  });

  it('reports each key that appears twice in an object, with its place', () => {
    const text = JSON.stringify({ ...parties, interactions: [plain] }).replace(
      '"status":200',
      '"status":404,\n"status":200',
    );
    const read = readPact(text, 'web.json');
    expect('notices' in read && read.notices.map(says => says.split(':').slice(0, 3))).to.deep.equal([
      ['web.json', '2', '1'],
    ]);
  });
});

describe('a pact', () => {
  it('is of the version that its metadata give, under each of the names for it', () => {
    for (const [version, metadata] of [
      [undefined, undefined],
      [undefined, { pactSpecification: {} }],
      ['1.0.0', { pactSpecificationVersion: '1.0.0' }],
      ['1.1.0', { 'pact-specification': { version: '1.1.0' } }],
      ['2.0.0', { pactSpecification: { version: '2.0.0' }, 'pact-jvm': { version: '4' } }],
      ['3', { pactSpecification: { version: 3 } }],
      ['3.0.0', { pactSpecification: '3.0.0' }],
      ['4.0', v4],
    ])
      expect(contractIn({ ...parties, interactions: [http], metadata }).version).to.equal(version);
  });

  it('has the line of each description; one of a broker has none, but its ids', () => {
    const interactions = [plain, { request, response, description: 'x', _id: 'abc' }];
    const text = JSON.stringify({ ...parties, interactions }, null, 1);
    const at = (line = 0) => text.split('\n')[line - 1]?.trim();
    const read = readPact(text, 'web.json');
    const lines = 'problems' in read ? [] : read.interactions.map(({ line }) => at(line));
    expect(lines).to.deep.equal(['"description": "a push",', '"description": "x",']);
    const broker = { isPending: true, notices: ['why'], publishTo: 'http://broker/x' };
    const contract = contractIn({ ...parties, interactions }, broker);
    expect(contract.broker).to.deep.equal(broker);
    expect(contract.interactions.map(({ line, id }) => [line, id])).to.deep.equal([
      [undefined, undefined],
      [undefined, 'abc'],
    ]);
  });

  it('has states under the name of its version, and none that are null or empty', () => {
    const params = { id: 1 };
    expect(statesOf({ provider_state: 'a' })).to.deep.equal([{ name: 'a', params: {} }]);
    expect(statesOf({ providerState: 'a', provider_state: 'b' })).to.deep.equal([{ name: 'a', params: {} }]);
    expect(
      statesOf({
        providerStates: [
          { name: 'a', params },
          { name: 'b', params: null },
        ],
        providerState: 'c',
      }),
    ).to.deep.equal([
      { name: 'a', params },
      { name: 'b', params: {} },
    ]);
    for (const none of [
      {},
      { provider_state: null },
      { providerState: '' },
      { providerStates: [] },
      { providerStates: [{ name: '' }] },
    ])
      expect(statesOf(none), JSON.stringify(none)).to.deep.equal([]);
    expect(statesOf({ providerStates: null, providerState: 'a' })).to.deep.equal([{ name: 'a', params: {} }]);
  });

  it('may mark an interaction as pending, from version 4 on', () => {
    expect(interactionIn({ ...http, pending: true }, v4).isPending).to.equal(true);
    expect(interactionIn({ ...http, pending: false }, v4).isPending).to.equal(false);
    expect(interactionIn({ ...http, pending: true }).isPending).to.equal(false);
  });

  it('has its query as a text, as lists, or as values, and names without a value', () => {
    const lineOf = (query: unknown) =>
      interactionIn({ ...plain, request: { ...request, query } }).request.split('?')[1];
    expect(lineOf('a=1&b=%20')).to.equal('a=1&b=%20');
    expect(lineOf('?a=1')).to.equal('a=1');
    expect(lineOf({ a: ['1', '2 &'], b: 'x' })).to.equal('a=1&a=2%20%26&b=x');
    expect(lineOf({ a: [null] })).to.equal('a');
    for (const none of [undefined, null, '', {}]) expect(lineOf(none)).to.equal(undefined);
    expect(interactionIn({ ...plain, request: {} }).request).to.equal('GET /');
  });
});

describe('the expectation of a pact', () => {
  it('is the status of the example, 200 by default, and not exact if a matcher describes it', () => {
    expect(expectedOf({})).to.deep.equal({ status: 200, isExactStatus: true, headers: {}, hasBody: false });
    const matchers = [{ match: 'statusCode', status: 'clientError' }];
    const response = { status: 404, matchingRules: { status: { matchers } } };
    expect(expectedOf(response, v4)).to.include({ status: 404, isExactStatus: false });
    expect(expectedOf({ ...response, matchingRules: { body: {} } }, v4).isExactStatus).to.equal(true);
    expect(expectedOf({ ...response, matchingRules: { status: { matchers: [] } } }, v4).isExactStatus).to.equal(true);
    expect(expectedOf(response).isExactStatus).to.equal(false);
    const older = { status: 404, matchingRules: { '$.status': { match: 'regex', regex: '40[13]' } } };
    expect(expectedOf(older).isExactStatus).to.equal(false);
  });

  it('has the headers by their names, several values joined', () => {
    const headers = { 'X-A': ['1', '2'], 'Content-Type': 'text/plain', 'X-N': 3, ['__proto__']: 'x' };
    const { headers: read } = expectedOf({ headers });
    expect(Object.entries(read)).to.deep.equal(
      Object.entries({ 'X-A': '1, 2', 'Content-Type': 'text/plain', 'X-N': '3', ['__proto__']: 'x' }),
    );
    expect(expectedOf({ headers: null }).headers).to.deep.equal({});
  });

  const bodies = (metadata: object, all: ReadonlyArray<readonly [response: object, body?: readonly [unknown]]>) => {
    for (const [response, expected] of all) {
      const { hasBody, body } = expectedOf(response, metadata);
      expect(hasBody ? [body] : undefined, JSON.stringify(response)).to.deep.equal(expected);
    }
  };

  it('has a body as versions 1 to 3 write it', () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    bodies({}, [
      [{}],
      ...[null, '', { success: true }, [], false, '{"a":1}'].map(body => [{ body }, [body]] as const),
      [{ headers, body: '{"a":1}' }, [{ a: 1 }]],
      [{ headers, body: 'ok' }, ['ok']],
    ]);
  });

  it('has a body as version 4 writes it', () => {
    const contentType = 'application/json';
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    bodies(v4, [
      [{ body: { contentType } }],
      [{ body: null }, [null]],
      [{ body: { content: null } }, [null]],
      [{ body: { content: { a: 1 }, contentType, encoded: false } }, [{ a: 1 }]],
      [{ body: { content: '{"a":1}', contentType, encoded: false } }, ['{"a":1}']],
      [{ body: { content: '{"a":1}' } }, [{ a: 1 }]],
      [{ body: { content: 'ok', contentType: 'text/plain' } }, ['ok']],
      [{ body: { content: base64('{"a":1}'), contentType, encoded: 'base64' } }, [{ a: 1 }]],
      [{ body: { content: base64('{"a":'), contentType, encoded: 'base64' } }, ['{"a":']],
      [{ body: { content: base64('1'), contentType: 'text/plain', encoded: 'BASE64' } }, ['1']],
      [{ body: { content: '[1]', contentType, encoded: 'JSON' } }, [[1]]],
    ]);
  });
});

describe('a file that is not a pact', () => {
  const pact = (interactions: unknown, metadata: object = {}) => ({ ...parties, interactions, metadata });
  const one = (written: unknown, metadata: object = {}) => pact([written], metadata);
  const asking = (request: object) => one({ ...plain, request });
  const replying = (response: object, metadata: object = {}) => one({ ...http, response }, metadata);
  const noMethod = { method: 'PSOT', headers: ['a'] };
  /** Files, each with what is at the place of each of its problems and a word of the problem. */
  const wrong: ReadonlyArray<readonly [file: unknown, ...problems: string[]]> = [
    [' \n', ' | empty'],
    ['{\n  "consumer": {,', ', | Invalid JSON'],
    ['[1]', 'web.json | a list'],
    [{}, 'web.json | no consumer, no provider and no interactions'],
    [{ ...parties, interaction: [] }, 'web.json | "interaction"'],
    [
      { consumer: 'web', provider: { name: ' ' }, interactions: [] },
      '"web","provi | consumer',
      '{"name":" "} | provider',
    ],
    [pact({}), '{},"metadata | a list'],
    [pact([], { pactSpecification: { version: '5.0' } }), '{"version":" | 5.0'],
    [{ ...parties, messages: [{}, {}] }, '[{},{}]} | message pact'],
    [pact([], { plugins: [{ name: 'protobuf', version: '0.3' }] }), '[{"name":"pr | protobuf'],
    [one({ type: 'Asynchronous/Messages', description: 'm' }, v4), '"Asynchronou | message'],
    [one({ description: 'm', type: 'Synchronous/Messages' }, v4), '"Synchronous | message'],
    [one(plain, v4), '{"descriptio | no type'],
    [one({ type: 'Synchronous/Http', ...plain }, v4), '"Synchronous | did you mean "Synchronous/HTTP"'],
    [one({ transport: 'grpc', ...http }, v4), '"grpc","desc | grpc'],
    [one({ pluginConfiguration: { csv: {} }, ...http }, v4), '{"csv":{}}," | csv'],
    [one(3), '3],"metadata | an object'],
    [one({}), '{}],"metadat | description', '{}],"metadat | request', '{}],"metadat | response'],
    [
      pact([
        { ...plain, request: 1 },
        { ...plain, response: null },
      ]),
      '1,"response" | request',
      'null}],"meta | response',
    ],
    [asking({ haeders: {}, ...request }), '{"haeders":{ | did you mean "headers"'],
    [asking({ method: 1, path: [], query: 1 }), '1,"path":[], | method', '[],"query":1 | path', '1},"response | query'],
    [asking(noMethod), '"PSOT","head | did you mean "POST"', '["a"]},"resp | headers'],
    [one({ ...plain, providerState: ['a'] }), '["a"]}],"met | providerState'],
    [one({ ...plain, providerStates: 'a' }), '"a"}],"metad | providerStates'],
    [one({ providerStates: [{ name: 'a', params: [1] }], ...plain }), '{"name":"a", | params'],
    [one({ ...plain, providerStates: [{ params: {} }, 1] }), '{"params":{} | name', '1]}],"metada | state is 1'],
    [replying({ statu: 404 }), '{"statu":404 | did you mean "status"'],
    [replying({ status: 2000 }), '2000},"type" | 2000'],
    [replying({ status: '200', headers: [] }), '"200","heade | status', '[]},"type":" | headers'],
    [replying({ body: { success: true } }, v4), '{"success":t | no content'],
    [replying({ body: 'ok' }, v4), '"ok"},"type" | body is "ok"'],
    [replying({ body: { content: '{', encoded: 'base64' } }, v4), '{"content":" | base64'],
  ];
  for (const [file, ...problems] of wrong)
    it(`has a problem at the place of each mistake: ${JSON.stringify(file)}`, () => {
      const found = problemsIn(file);
      expect(found).to.have.length(problems.length);
      for (const [i, problem] of problems.entries()) {
        const [place = '', word = ''] = problem.split(' | ');
        expect(found[i]?.startsWith(place), found[i]).to.equal(true);
        expect(found[i]).to.include(word);
      }
    });
});

describe('a pact with a part that cannot be verified', () => {
  it('keeps its other interactions, and reports what is wrong with that one and where', () => {
    const broken = { ...plain, description: 'misspells', response: { status: 'ok' } };
    const text = JSON.stringify({ ...parties, interactions: [plain, broken] }, null, 1);
    const read = readPact(text, 'web.json');
    if ('problems' in read) expect.fail(read.problems.join('\n'));
    expect(read.interactions.map(({ description }) => description)).to.deep.equal(['a push']);
    const [{ description, line = 0, problems } = { description: '', problems: [] }] = read.unreadable;
    expect({ description, text: text.split('\n')[line - 1]?.trim() }).to.deep.equal({
      description: 'misspells',
      text: '"description": "misspells",',
    });
    expect(problems.join()).to.match(
      /^web\.json:\d+:\d+: Interaction "misspells": the status is "ok": expected a number such as 200\.$/,
    );
  });

  it('leaves messages out if it has HTTP interactions too, with a notice', () => {
    const message = { type: 'Asynchronous/Messages', description: 'a user joined' };
    const mixed = { ...parties, interactions: [message, { type: 'Synchronous/HTTP', ...plain }], metadata: v4 };
    const older = { ...parties, interactions: [plain], messages: [message], metadata: {} };
    for (const pact of [mixed, older]) {
      const read = readPact(JSON.stringify(pact), 'web.json');
      if ('problems' in read) expect.fail(read.problems.join('\n'));
      expect(read.interactions.map(({ description }) => description)).to.deep.equal(['a push']);
      expect(read).to.deep.include({
        unreadable: [],
        notices: ['web.json: a message is skipped, because these APIs use only HTTP: "a user joined".'],
      });
      expect(read.document).to.not.have.property('messages');
    }
  });

  it('names the values that a request takes from its states', () => {
    const taken = (name: string) => `$\{${name}}`;
    const generators = {
      path: { type: 'ProviderState', expression: `/pages/${taken('pageId')}/${taken('x')}` },
      body: { '$.a': { type: 'ProviderState', expression: 'name' }, '$.b': { type: 'Uuid' } },
    };
    expect(interactionIn({ ...plain, request: { ...request, generators } }).takes).to.deep.equal([
      'pageId',
      'x',
      'name',
    ]);
  });
});
