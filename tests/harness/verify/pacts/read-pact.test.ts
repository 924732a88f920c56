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
  const specifications: ReadonlyArray<readonly [metadata: unknown, version: string | undefined]> = [
    [undefined, undefined],
    [{}, undefined],
    [{ pactSpecification: {} }, undefined],
    [{ pactSpecificationVersion: '1.0.0' }, '1.0.0'],
    [{ 'pact-specification': { version: '1.1.0' } }, '1.1.0'],
    [{ pactSpecification: { version: '2.0.0' }, 'pact-jvm': { version: '4' } }, '2.0.0'],
    [{ pactSpecification: { version: 3 } }, '3'],
    [{ pactSpecification: '3.0.0' }, '3.0.0'],
    [v4, '4.0'],
  ];
  for (const [metadata, version] of specifications)
    it(`is of version ${version} by ${JSON.stringify(metadata)}`, () => {
      const contract = contractIn({ ...parties, interactions: [http], metadata });
      expect(contract.version).to.equal(version);
      expect(contract).to.include({ consumer: 'web', provider: 'push-pull', source: 'web.json' });
      expect(contract.interactions.map(({ request: line }) => line)).to.deep.equal(['POST /rest/cwx-ppf/latest/push']);
    });

  it('is valid without interactions', () => {
    expect(contractIn({ ...parties, interactions: [] }).interactions).to.deep.equal([]);
  });

  it('keeps two interactions with one description, each as written', () => {
    const other = { ...plain, response: { status: 403 } };
    const { interactions } = contractIn({ ...parties, interactions: [plain, other] });
    expect(interactions.map(({ written }) => written)).to.deep.equal([plain, other]);
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

  const json = { 'content-type': 'application/json; charset=utf-8' };
  const bodies: ReadonlyArray<readonly [title: string, response: object, body: readonly [unknown] | undefined]> = [
    ['nothing where the key is absent', {}, undefined],
    ['that there is none, by null', { body: null }, [null]],
    ['that it is empty', { body: '' }, ['']],
    ['JSON as it is', { body: { success: true } }, [{ success: true }]],
    ['a list', { body: [] }, [[]]],
    ['false', { body: false }, [false]],
    ['a text', { body: '{"a":1}' }, ['{"a":1}']],
    ['JSON in a text that is sent as JSON', { headers: json, body: '{"a":1}' }, [{ a: 1 }]],
    ['a text that is sent as a JSON text', { headers: json, body: 'ok' }, ['ok']],
  ];
  for (const [title, response, body] of bodies)
    it(`has a body up to version 3: ${title}`, () => {
      const { hasBody, body: read } = expectedOf(response);
      expect(hasBody ? [read] : undefined).to.deep.equal(body);
    });

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const v4Bodies: ReadonlyArray<readonly [title: string, body: unknown, read: readonly [unknown] | undefined]> = [
    ['nothing where there is no content', { contentType: 'application/json' }, undefined],
    ['that there is none, by null', null, [null]],
    ['that its content is null', { content: null }, [null]],
    ['JSON', { content: { a: 1 }, contentType: 'application/json', encoded: false }, [{ a: 1 }]],
    ['a JSON text', { content: '{"a":1}', contentType: 'application/json', encoded: false }, ['{"a":1}']],
    ['JSON in a text of no type', { content: '{"a":1}' }, [{ a: 1 }]],
    ['a text', { content: 'ok', contentType: 'text/plain' }, ['ok']],
    ['JSON in base64', { content: base64('{"a":1}'), contentType: 'application/json', encoded: 'base64' }, [{ a: 1 }]],
    [
      'a body that is not JSON in base64',
      { content: base64('{"a":'), contentType: 'application/json', encoded: 'base64' },
      ['{"a":'],
    ],
    ['a text in base64', { content: base64('1'), contentType: 'text/plain', encoded: 'BASE64' }, ['1']],
    ['JSON that is written as text', { content: '[1]', contentType: 'application/json', encoded: 'JSON' }, [[1]]],
  ];
  for (const [title, body, read] of v4Bodies)
    it(`has a body in version 4: ${title}`, () => {
      const { hasBody, body: found } = expectedOf({ body }, v4);
      expect(hasBody ? [found] : undefined).to.deep.equal(read);
    });
});

describe('a file that is not a pact', () => {
  const pact = (interactions: unknown, metadata: object = {}) => ({ ...parties, interactions, metadata });
  const ofInteraction = (written: unknown, metadata: object = {}) => pact([written], metadata);
  const ONLY = 'these APIs use only HTTP. Verify messages with another tool';
  /** By the one problem that they have. */
  const wrong: Readonly<Record<string, unknown>> = {
    ' | Invalid JSON: the file is empty.': ' \n',
    ', | Invalid JSON: expected a value or a name in double quotes, found ",".': '{\n  "consumer": {,',
    'web.json: Not a pact: expected an object, found a list of length 1.': '[1]',
    'web.json: Not a pact: it has no consumer, no provider and no interactions.': {},
    'web.json: Not a pact: it has no interactions but "interaction".': { ...parties, interaction: [] },
    '{},"metadata | The interactions are an object: expected a list.': pact({}),
    '{"version":" | Unknown version 5.0 of the Pact specification: it must be 1, 1.1, 2, 3 or 4.': pact([], {
      pactSpecification: { version: '5.0' },
    }),
    [`[{},{}]} | This is a message pact (2): ${ONLY}.`]: { ...parties, messages: [{}, {}] },
    '[{"name":"pr | This pact needs Pact plugins (protobuf), which are not supported.': pact([], {
      plugins: [{ name: 'protobuf', version: '0.3' }],
    }),
    [`"Asynchronou | Interaction "m": it is a message (Asynchronous/Messages): ${ONLY}.`]: ofInteraction(
      { type: 'Asynchronous/Messages', description: 'm' },
      v4,
    ),
    [`"Synchronous | Interaction "m": it is a message (Synchronous/Messages): ${ONLY}.`]: ofInteraction(
      { description: 'm', type: 'Synchronous/Messages' },
      v4,
    ),
    '{"descriptio | Interaction "a push": it has no type: version 4 expects "type": "Synchronous/HTTP".': ofInteraction(
      plain,
      v4,
    ),
    '"Synchronous | Interaction "a push": its type is "Synchronous/Http" (did you mean "Synchronous/HTTP"?): version 4 expects "type": "Synchronous/HTTP".':
      ofInteraction({ type: 'Synchronous/Http', ...plain }, v4),
    [`"grpc","desc | Interaction "a push": its transport is "grpc": ${ONLY}.`]: ofInteraction(
      { transport: 'grpc', ...http },
      v4,
    ),
    '{"csv":{}}," | Interaction "a push": it needs a Pact plugin (csv), which is not supported.': ofInteraction(
      { pluginConfiguration: { csv: {} }, ...http },
      v4,
    ),
    '{"statu":404 | Interaction "a push": unknown key "statu" (did you mean "status"?).': ofInteraction({
      ...plain,
      response: { statu: 404 },
    }),
    '{"haeders":{ | Interaction "a push": unknown key "haeders" (did you mean "headers"?).': ofInteraction({
      ...plain,
      request: { haeders: {}, ...request },
    }),
    '3],"metadata | Interaction number 1: an interaction is 3: expected an object.': ofInteraction(3),
    '["a"]}],"met | Interaction "a push": providerState is a list of length 1: expected the name of a state.':
      ofInteraction({ ...plain, providerState: ['a'] }),
    '"a"}],"metad | Interaction "a push": providerStates is "a": expected a list such as [{"name": "small-team"}].':
      ofInteraction({ ...plain, providerStates: 'a' }),
    '{"name":"a", | Interaction "a push": the params of a state are a list of length 1: expected an object.':
      ofInteraction({ providerStates: [{ name: 'a', params: [1] }], ...plain }),
    '2000},"descr | Interaction "d": the status is 2000: expected a number such as 200.': ofInteraction({
      response: { status: 2000 },
      description: 'd',
      request: {},
    }),
    '{"success":t | Interaction "a push": the body has no content: version 4 expects {"content": …, "contentType": …}.':
      ofInteraction({ ...http, response: { body: { success: true } } }, v4),
    '"ok"},"type" | Interaction "a push": the body is "ok": version 4 expects {"content": …, "contentType": …}.':
      ofInteraction({ ...http, response: { body: 'ok' } }, v4),
    '{"content":" | Interaction "a push": the body is declared as base64, but is not valid base64.': ofInteraction(
      { ...http, response: { body: { content: '{', encoded: 'base64' } } },
      v4,
    ),
  };
  for (const [problem, file] of Object.entries(wrong))
    it(`is reported with what would be right: ${problem.slice(problem.indexOf('| ') + 2)}`, () => {
      expect(problemsIn(file)).to.deep.equal([problem]);
    });

  const severely: Readonly<Record<string, readonly [file: unknown, problems: readonly string[]]>> = {
    'gives its parties no names': [
      { consumer: 'web', provider: { name: ' ' }, interactions: [] },
      [
        '"web","provi | The consumer is "web": expected {"name": …}.',
        '{"name":" "} | The provider has for its name " ": expected {"name": …}.',
      ],
    ],
    'has an interaction with nothing in it': [
      ofInteraction({}),
      [
        '{}],"metadat | Interaction number 1: the description is missing: expected a string.',
        '{}],"metadat | Interaction number 1: the request is missing: expected an object such as {"method": "POST", "path": "/rest/…"}.',
        '{}],"metadat | Interaction number 1: the response is missing: expected an object such as {"status": 200}.',
      ],
    ],
    'has a state without a name': [
      ofInteraction({ ...plain, providerStates: [{ params: {} }, 1] }),
      [
        '{"params":{} | Interaction "a push": a state whose name is missing: expected {"name": "small-team"}.',
        '1]}],"metada | Interaction "a push": a state is 1: expected {"name": "small-team"}.',
      ],
    ],
    'has a request of other parts': [
      ofInteraction({ description: 'd', response, request: { method: 1, path: [], query: 1 } }),
      [
        '1,"path":[], | Interaction "d": the method is 1: expected a string such as "PUT".',
        '[],"query":1 | Interaction "d": the path is an empty list: expected a string such as "/rest/…".',
        '1}}],"metada | Interaction "d": the query is 1: expected an object or a string.',
      ],
    ],
    'has several wrong interactions': [
      pact([
        { ...plain, request: 1 },
        { ...plain, response: null },
      ]),
      [
        '1,"response" | Interaction "a push": the request is 1: expected an object such as {"method": "POST", "path": "/rest/…"}.',
        'null}],"meta | Interaction "a push": the response is null: expected an object such as {"status": 200}.',
      ],
    ],
    'has an unknown method and a list of headers': [
      ofInteraction({ description: 'd', request: { method: 'PSOT', headers: ['a'] }, response: {} }),
      [
        '"PSOT","head | Interaction "d": unknown method "PSOT" (did you mean "POST"?).',
        '["a"]},"resp | Interaction "d": the headers are a list of length 1: expected an object with their names as keys.',
      ],
    ],
    'has a response of other parts': [
      ofInteraction({ description: 'd', request: {}, response: { status: '200', headers: [] } }),
      [
        '"200","heade | Interaction "d": the status is "200": expected a number such as 200.',
        '[]}}],"metad | Interaction "d": the headers are an empty list: expected an object with their names as keys.',
      ],
    ],
  };
  for (const [title, [file, problems]] of Object.entries(severely))
    it(`is reported with everything that is wrong if it ${title}`, () => {
      expect(problemsIn(file)).to.deep.equal(problems);
    });

  it('is reported with its name, and line and column from 1', () => {
    const read = readPact('{\n  "consumer": {,', 'pacts/web.json');
    expect('problems' in read && read.problems.join()).to.match(/^pacts\/web\.json:2:16: Invalid JSON: /);
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
