// What the fake does where the document is silent, and no reading changes: the document page lists it, and verdicts never rest on it silently.
import { isObject } from '../../domain/form/patch.js';
import { decodes } from '../../engine/percent.js';
import { type Body, bodyFrom, noBody, parseQuery } from '../../engine/request/request.js';
import { locate } from '../../operations/address.js';
import type { Operation } from '../../operations/operation.js';
import type { HttpRequest } from '../sending/call.js';

/** A request as far as choices depend on it. */
export interface AskedAbout {
  /** Absent: method and path are those of no operation. */
  readonly operation?: Operation;
  readonly path: string;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** What there is before the request. */
  readonly world: Around;
}

/** The parts of a world on which choices depend, by name, key or id. */
export interface Around {
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly spaces?: Readonly<Record<string, { readonly admins?: readonly string[] }>>;
  readonly pages?: Readonly<Record<string, AroundPage>>;
}
interface AroundPage {
  readonly space: string;
  readonly edit?: Listed;
  readonly view?: Listed;
}
type Listed = Readonly<Partial<Record<'users' | 'groups', readonly string[]>>>;

export function askedBy(request: HttpRequest, operation: Operation | undefined, world: Around): AskedAbout {
  const [path = '', ...search] = request.path.split('?');
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...(operation && { operation }),
    path,
    query: parseQuery(search.join('?')).pairs,
    headers: Object.fromEntries(headers),
    body: request.body === undefined ? noBody : bodyFrom(Buffer.from(request.body)),
    world,
  };
}

export interface OwnChoice {
  readonly request: string;
  readonly does: string;
  readonly why: string;
  /** Whether it decided the response to a request. Absent: the response does not show it, or is open anyway. */
  concerns?(asked: AskedAbout): boolean;
  /** `success`: only the success of a push or pull is open; a response of the wiki is open anyway. Default: the whole response is. */
  readonly opens?: 'success';
}

export const ownChoices: readonly OwnChoice[] = [
  {
    request:
      'A body that is not JSON, an object where the body is a list or the other way round, or a value that `field-type` does not convert',
    does: 'It is refused with 400.',
    why: 'The document gives each body and field one type. Another server may answer 422 or 500.',
  },
  {
    request: 'A push or pull without a body, or with one of no bytes',
    does: 'It counts as `{}`: 400, since users and items are missing.',
    why: 'The document requires users or groups, and filters or dashboards, and says nothing else of the body.',
    concerns: ({ operation, body }) => operation?.family === 'ppf' && body.kind === 'absent',
  },
  {
    request: 'Replacing text with an empty list of replacements',
    does: 'Done: nothing changes.',
    why: 'No text is wrong, and nothing is left to do.',
    concerns: ({ operation, body }) =>
      operation?.id === 'spaces.replace-in-page' &&
      body.kind === 'json' &&
      Array.isArray(body.value) &&
      body.value.length === 0,
  },
  {
    request: '`removeAdminPermissions=true` where no other admin is left',
    does: 'The space is created without an admin.',
    why: 'That is what the parameter asks for.',
    concerns: leavesNoAdmin,
  },
  {
    request: 'Permissions of a page that the caller may not view or edit, and a copy of such a page',
    does: 'Page restrictions are ignored: every caller that `wiki-auth` allows can change and copy such pages.',
    why: 'These operations exist to change what callers may do.',
    concerns: isShutOut,
  },
  {
    request: 'Several faults in one request to the wiki',
    does: 'One refusal, in this order: path, method, credentials, XSRF check, permission, `expand`, query, body, the form of ids, keys, titles, links and texts, empty lists, and last what depends on the world: the named spaces, pages, users and groups, and the permission on a space or a page (`wiki-auth=permitted`).',
    why: 'Any order keeps the document. With `wiki-check-order=validation-first` the permission comes after all that can be checked in the request alone.',
  },
  {
    request: 'Push and pull without credentials while the add-on is not licensed',
    does: 'The missing credentials decide (`ppf-anonymous`).',
    why: 'Both are refusals. Who asks comes before what the server may do.',
  },
  {
    request: 'Percent-encoding in the fixed parts of a path, such as `%67roups`',
    does: 'There is no such path: 404.',
    why: 'Fixed parts are compared as they are sent. Parameters in the path are decoded.',
    concerns: ({ path }) =>
      locate(path) === undefined && decodes(path) && locate(decodeURIComponent(path)) !== undefined,
  },
  {
    request: 'A path that the document does not have, or a method that it does not give to a path',
    does: '404, or 405 with `Allow`. OPTIONS gets 204 with `Allow`.',
    why: 'These are the statuses of HTTP. The document names none.',
  },
  {
    request:
      'A path or a query whose percent-encoding is not UTF-8, or a body with a content encoding other than gzip, deflate or br',
    does: '400 for the path and the query, 415 for the body.',
    why: 'The document does not speak of encodings.',
  },
  {
    request:
      'A body of more than 1 MiB, a list of more than 10,000 elements, or a request that concerns too many records',
    does: '413. [The limits](limits.md) are those of the fake.',
    why: 'The document gives no limits. Up to 10,000 elements `list-limit` decides.',
  },
  {
    request: 'A body sent to `isUnique`',
    does: 'It is not read.',
    why: 'The document gives this operation query parameters only.',
  },
  {
    request: 'A name or id twice in one list, or a user who is also in a named group',
    does: 'It counts once, also in `messages`.',
    why: 'The second one changes nothing.',
    concerns: ({ operation, body, world }) => repeats(body, operation?.family === 'ppf' ? world.groups : {}),
    opens: 'success',
  },
  {
    request: '`messages` of a push or pull without errors',
    does: 'Empty, but with `ppf-no-change=note`.',
    why: 'The document has it carry additional information where `success` is false.',
  },
  {
    request: 'The order of `messages`',
    does: 'Unknown users, groups, filters and dashboards in the order of the request, then each item and user.',
    why: 'The document calls it a list and gives no order.',
  },
  {
    request: 'How `oldText` is searched',
    does: 'As literal text, from left to right, in exact case.',
    why: 'The document says only that text is replaced.',
  },
  {
    request: 'A replacement in a page',
    does: 'If it changes the page, the page gets a new version, of now and by the caller. If not, the page keeps its version.',
    why: 'Confluence does so when a page is edited.',
  },
  {
    request: 'The version of a copied page',
    does: 'It begins at 1, also with `keepPagesMetadata=true`.',
    why: 'Metadata are taken as authors and dates.',
  },
  {
    request: '`removeAdminPermissions=true` where the admin is named in restrictions of copied pages',
    does: 'These restrictions stay.',
    why: 'The parameter is about the space.',
  },
  {
    request: '`isUnique` for an empty key, or one that `copySpace` would refuse',
    does: 'It is unique.',
    why: 'The question is only whether it is taken.',
    concerns: ({ operation, query }) =>
      operation?.id === 'spaces.is-unique' &&
      query.some(([name, value]) => name === 'spaceKey' && !/^[A-Za-z\d]{1,255}$/.test(value)),
  },
  {
    request: 'A push or pull for a group without members',
    does: 'A success that changes nothing.',
    why: 'No recipient is wrong.',
    concerns: ({ operation, body, world }) =>
      operation?.family === 'ppf' && namesIn(body, 'groups').some(name => world.groups?.[name]?.length === 0),
    opens: 'success',
  },
  {
    request: 'A push of an item that the calling admin may not see',
    does: 'It is pushed. What counts is what the recipients may see.',
    why: 'The document speaks of the recipients only.',
  },
  {
    request: 'A title or a text of blanks',
    does: 'It is not empty, but the label of a link is with `sidebar-link-form=checked`.',
    why: 'The document does not speak of blanks.',
    concerns: ({ operation, query, body }) =>
      operation?.family === 'wiki' &&
      [...query.map(([, value]) => value), ...(body.kind === 'json' ? textsIn(body.value) : [])].some(text =>
        /^\s+$/.test(text),
      ),
  },
  {
    request: 'Blanks around a name, a key, a title or an id',
    does: 'They are a part of it. Only the names in `expand` are trimmed.',
    why: 'Names are compared as they are sent.',
    concerns: ({ body }) => ['users', 'groups'].some(field => namesIn(body, field).some(name => name !== name.trim())),
  },
  {
    request: 'A charset other than UTF-8 in the Content-Type',
    does: 'The body is read as UTF-8. The type is not application/json for `content-type`.',
    why: 'JSON is UTF-8 (RFC 8259).',
    concerns: ({ headers }) => /charset="?(?!utf-?8\b)/i.test(headers['content-type'] ?? ''),
  },
  {
    request: 'The parameter `expand` several times',
    does: 'All of its lists count, also with `repeated-parameter=400`.',
    why: 'Confluence allows that. The gap is about the parameters of an operation.',
  },
  {
    request: 'A PUT or a DELETE from a browser',
    does: 'The XSRF check (`browser-post`) does not apply.',
    why: 'A page of another origin cannot send one without asking the server first (CORS).',
  },
  {
    request: 'A field twice in one object of a body, or a byte order mark before the body',
    does: 'The last one counts. The mark is skipped.',
    why: 'RFC 8259 leaves both to the reader.',
  },
  {
    request: 'Several credentials in one request',
    does: '`Authorization` counts rather than a cookie, and the first of several. An unknown session cookie counts as no credentials.',
    why: 'Node keeps the first header, and the document does not speak of sessions.',
    concerns: ({ headers }) => headers.authorization !== undefined && headers.cookie !== undefined,
  },
  {
    request: 'An `Accept` header',
    does: 'It is not read: responses are JSON.',
    why: 'The document has no other format.',
    concerns: ({ headers: { accept = '*/*' } }) =>
      !/(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json))(?=[\s,;]|$)/i.test(accept),
  },
  {
    request: 'A request from a web page of another origin, or for a foreign host name',
    does: '403 or 421 from the fake itself, unless `--cors` or `--allow-host` allows it: see [security](security.md).',
    why: 'It protects the machine on which the fake runs.',
    concerns: ({ headers }) => headers.origin !== undefined || headers['sec-fetch-site'] !== undefined,
  },
  {
    request: 'A method that HTTP does not have',
    does: '400 from the HTTP parser.',
    why: 'Node reads only the registered methods.',
  },
  {
    request: 'Which favourites `ppf-effect=pushed-only` pulls',
    does: 'Those that a push added, under whatever reading. Those of a fixture or a change of the world belong to the user and stay; a change that lists a pushed one again does not make it so. The JSON of the world does not show the difference, and a scenario cannot say it.',
    why: 'Whether the service remembers what it pushed is not shown.',
  },
];

/** The elements of a list in a body. */
function namesIn(body: Body, field: string): readonly string[] {
  const list = body.kind === 'json' && isObject(body.value) ? body.value[field] : undefined;
  return Array.isArray(list) ? list.map(String) : [];
}

/** Whether a list names something twice, or a user who is also in a named group. */
function repeats(body: Body, groups: Around['groups'] = {}): boolean {
  const members = new Set(namesIn(body, 'groups').flatMap(name => groups[name] ?? []));
  const lists = [
    [...namesIn(body, 'users'), ...members],
    ...['groups', 'filters', 'dashboards'].map(field => namesIn(body, field)),
  ];
  return lists.some(list => new Set(list).size < list.length);
}

function parameter({ query }: AskedAbout, name: string): string {
  return query.find(([one]) => one === name)?.[1] ?? '';
}

/** Whether the admin of a copy is removed, and the source has no other. */
function leavesNoAdmin(asked: AskedAbout): boolean {
  if (asked.operation?.id !== 'spaces.copy' || parameter(asked, 'removeAdminPermissions').toLowerCase() !== 'true')
    return false;
  const { admins = [] } = asked.world.spaces?.[parameter(asked, 'sourceSpaceKey')] ?? {};
  return admins.every(name => name === parameter(asked, 'targetSpaceAdmin'));
}

/** Whether the request is about a page with a restriction that does not name its caller. */
function isShutOut(asked: AskedAbout): boolean {
  const { operation, path, headers, world } = asked;
  const { pages = {}, groups = {} } = world;
  const caller = callerIn(headers.authorization);
  const isNamed = ({ users = [], groups: some = [] }: Listed) =>
    users.includes(caller) || some.some(name => groups[name]?.includes(caller) === true);
  const isClosed = ({ users = [], groups: some = [] }: Listed = {}) =>
    users.length + some.length > 0 && !isNamed({ users, groups: some });
  const source = parameter(asked, 'sourceSpaceKey');
  const concerned = operation?.id.startsWith('permissions.')
    ? [pages[path.split('/').at(-1) ?? ''] ?? []].flat()
    : Object.values(pages).filter(({ space }) => operation?.id === 'spaces.copy' && space === source);
  return concerned.some(({ edit, view }) => isClosed(edit) || isClosed(view));
}

/** The user of Basic credentials. */
function callerIn(authorization = ''): string {
  const [, encoded = ''] = /^basic (.+)$/i.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64').toString().split(':', 1)[0] ?? '';
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
