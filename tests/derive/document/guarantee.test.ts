// What the document promises about a response: each part is fixed, typed or open, for each way in which a request can end.
import { expect } from 'chai';
import { checkRequest } from '../../../server/derive/document/document-check.js';
import { type Decided, type Guarantee, guaranteesOf } from '../../../server/derive/document/guarantee.js';
import { type Around, type AskedAbout, askedBy } from '../../../server/derive/document/own-choices.js';

interface Sent {
  readonly line: string;
  readonly body?: unknown;
  readonly headers?: AskedAbout['headers'];
  readonly world?: Around;
}

const PPF = 'POST /rest/cwx-ppf/latest/push';
const COPY =
  'POST /rest/cwxapiextension/latest/spaces/copySpace?sourceSpaceKey=S&targetSpaceKey=T&targetSpaceTitle=T&targetSpaceAdmin=a&removeAdminPermissions=true&keepPagesMetadata=true';
const ADD = 'POST /rest/cwxapiextension/latest/groups/add-users';
const push = { users: ['alice'], filters: [1] };
const done = { status: 200, rules: ['ppf.success-flag'], body: { success: true, messages: [] } };
const member = { group: 'a', users: ['b'] };

function allOf({ line, body, headers = {}, world = {} }: Sent, end: End) {
  const [method = '', path = ''] = line.split(' ');
  const text = body === undefined ? undefined : JSON.stringify(body);
  const typed = text === undefined ? {} : { 'content-type': 'application/json' };
  const request = { method, path, headers: { ...typed, ...headers }, ...(text !== undefined && { body: text }) };
  const { operation, findings } = checkRequest({ ...request, headers: typed });
  const asked = askedBy(request, operation, world);
  return guaranteesOf({ asked, findings, rules: [], body: undefined, ...end });
}
const of = (sent: Sent, end: End) => allOf(sent, end).filter(({ isAside }) => !isAside);

/** `fixed 200-200, typed body: success fixed true, messages typed 0` */
function shortly({ status, contentType, body }: Guarantee): string {
  const fields = Object.entries(body.fields ?? {}).map(
    ([name, field]) => `${name} ${field.is} ${'value' in field ? field.value : field.atLeast}`,
  );
  return `${status.is} ${status.from}-${status.to}, ${contentType.is} type, ${[`${body.is} body`, ...fields].join(' ')}`;
}

const openBody = 'open type, open body';
const processed = (success: string, atLeast: number) =>
  `fixed 200-200, typed type, typed body success ${success} messages typed ${atLeast}`;

type End = Partial<Decided> & { readonly status: number };

const wiki = { status: 200 };
const success = `open 200-299, ${openBody}`;
const asUserA = { authorization: `Basic ${Buffer.from('a:a').toString('base64')}` };
const pageSeenBy = (group: string) => ({
  line: 'PUT /rest/cwxapiextension/latest/permissions/edit/7',
  body: { users: ['c'], groups: [] },
  headers: asUserA,
  world: { groups: { g: ['a'] }, pages: { 7: { space: 'S', view: { groups: [group] } } } },
});
const copyOf = (...admins: string[]) => ({ line: COPY, world: { spaces: { S: { admins } } } });
const noRecipient = { status: 400, refused: 'ppf-no-recipient' } as const;

const cases: ReadonlyArray<readonly [what: string, Sent, End, ...guarantees: string[]]> = [
  ['a push that succeeds', { line: PPF, body: push }, done, processed('fixed true', 0)],
  [
    'a push that fails',
    { line: PPF, body: push },
    { status: 200, rules: ['ppf.failure-message'], body: { success: false, messages: ['x'] } },
    processed('fixed false', 1),
  ],
  ['a push of nothing', { line: PPF, body: {} }, noRecipient, `fixed 400-400, ${openBody}`],
  ['a push without a body', { line: PPF }, noRecipient, `fixed 400-400, ${openBody}`, `open 200-599, ${openBody}`],
  [
    'a push that is not permitted',
    { line: PPF, body: push },
    { status: 403, refused: 'ppf-not-admin' },
    `fixed 403-403, ${openBody}`,
  ],
  [
    'a push of objects',
    { line: PPF, body: { ...push, filters: [{}] } },
    { status: 400, refused: 'body-shape' },
    `open 300-599, ${openBody}`,
    processed('fixed false', 1),
  ],
  [
    'a push to the same user twice',
    { line: PPF, body: { ...push, users: ['a', 'a'] } },
    done,
    processed('fixed true', 0),
    processed('open false', 0),
  ],
  [
    'a push to an empty group',
    { line: PPF, body: { groups: ['a'], filters: [1] }, world: { groups: { a: [] } } },
    done,
    processed('fixed true', 0),
    processed('open false', 0),
  ],
  ['a wiki operation that succeeds', { line: ADD, body: member }, wiki, success],
  [
    'a wiki operation that names what is not there',
    { line: ADD, body: member },
    { status: 404, refused: 'unknown-user' },
    `open 200-599, ${openBody}`,
  ],
  [
    'a wiki operation for another media type',
    { line: ADD, body: member, headers: { accept: 'text/html' } },
    wiki,
    success,
    `open 200-599, ${openBody}`,
  ],
  ['a copy that leaves no admin', copyOf('a'), wiki, success, `open 200-599, ${openBody}`],
  ['a copy that leaves another admin', copyOf('a', 'b'), wiki, success],
  ['permissions of a page closed to the caller', pageSeenBy('h'), wiki, success, `open 200-599, ${openBody}`],
  ['permissions of a page open to the caller', pageSeenBy('g'), wiki, success],
  [
    'a body where there is none',
    { line: 'POST /rest/cwxapiextension/latest/spaces/isUnique?spaceKey=A&spaceName=A', body: {} },
    wiki,
    success,
    `open 400-599, ${openBody}`,
  ],
  [
    'another case',
    { line: ADD.replace('groups', 'Groups'), body: member },
    { status: 404, refused: 'wrong-case' },
    `open 300-599, ${openBody}`,
  ],
  ['an unknown path', { line: 'GET /status' }, { status: 404, refused: 'bad-address' }, `open 200-599, ${openBody}`],
];

describe('the guarantee', () => {
  for (const [what, sent, end, ...expected] of cases)
    it(`for ${what}: ${expected[0]}`, () => {
      const found = of(sent, end);
      expect(found.map(shortly)).to.deep.equal(expected);
      for (const { status, contentType, body } of found)
        for (const { says } of [status, contentType, body, ...Object.values(body.fields ?? {})])
          expect(says).to.match(/^[A-Zs].+\.$/);
    });

  it('always allows limits and outages, and refusals of callers of the extension', () => {
    const asides = (line: string, body: unknown) =>
      allOf({ line, body }, done).flatMap(({ isAside, status }) => (isAside ? status.from : []));
    expect(asides(PPF, push)).to.deep.equal([413, 414, 429, 431, 502]);
    expect(asides(ADD, member)).to.deep.equal([413, 414, 429, 431, 502, 401, 403]);
  });
});
