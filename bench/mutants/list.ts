// Faulty servers, made by hand: for each rule one that breaks just this rule, and some that break a rule where nobody outside can see it.
// Data: each is one text put in the place of another.
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';

export interface FaultyServer {
  /** The rule that is broken. */
  readonly rule: string;
  /** What it does wrong. */
  readonly says: string;
  /** Below server/. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Under which the effect shows, where the defaults hide it. */
  readonly readings?: SomeReadings;
  /** Other rules of the document that are broken with it, because they say the same of these requests. */
  readonly also?: readonly string[];
  /** A rule that says the same of these requests: either of the two explains what is seen. */
  readonly or?: string;
  /** Why nobody outside sees it: then no rule contradicts. */
  readonly unseen?: string;
}

const strict: SomeReadings = { 'no-change': '409' };
const reported: SomeReadings = { 'ppf-no-change': 'message' };

function onBoth(permission: string, what: string, condition: string): Pick<FaultyServer, 'find' | 'replace'> {
  const find = 'permissions.flatMap(permission => changed(';
  const isMeant = `permissions.join() === '${permission}' && what === '${what}' && ${condition}`;
  return { find, replace: find.replace('permissions', `(${isMeant} ? (['edit', 'view'] as const) : permissions)`) };
}

function withoutGroups(condition: string): string {
  return `changed(pageId, page, permission, ${condition} ? { ...named, groups: [] } : named, what))`;
}

export const faultyServers: readonly FaultyServer[] = [
  {
    rule: 'address.context-path',
    says: 'a context path of several segments is served',
    file: 'operations/address.ts',
    find: 'export const CONTEXT = /^(\\/[^/]+)?$/;',
    replace: 'export const CONTEXT = /^(\\/[^/]+)*$/;',
    also: ['address.no-context-path'],
  },
  {
    rule: 'address.extension-path',
    says: 'the wiki extension answers without latest',
    file: 'operations/address.ts',
    find: "['bare', '/cwxapiextension/latest'],",
    replace: "['bare', '/cwxapiextension/latest'], ['bare', '/cwxapiextension'],",
  },
  {
    rule: 'address.ppf-path',
    says: 'push and pull answer without latest',
    file: 'operations/address.ts',
    find: "ppf: [['rest', '/rest/cwx-ppf/latest']],",
    replace: "ppf: [['rest', '/rest/cwx-ppf/latest'], ['rest', '/rest/cwx-ppf']],",
  },
  {
    rule: 'address.json-bodies',
    says: 'single quotes are taken for double ones',
    file: 'engine/request/body-bytes.ts',
    find: 'JSON.parse(text), text }',
    replace: 'JSON.parse(text.replaceAll("\'", \'"\')), text }',
  },
  {
    rule: 'address.case-sensitive',
    says: 'paths are found in any case',
    file: 'http/incoming/places.ts',
    find: 'sensitive: true',
    replace: 'sensitive: false',
  },
  {
    rule: 'expand.list',
    says: 'a list is one name',
    file: 'operations/expand.ts',
    find: "value.split(',')",
    replace: '[value]',
    readings: { 'expand-unknown': '400' },
  },
  {
    rule: 'expand.nested',
    says: 'names with a dot are skipped',
    file: 'operations/expand.ts',
    find: "map(name => name.split('.'))",
    replace: "filter(name => !name.includes('.')).map(name => name.split('.'))",
    readings: { 'expand-unknown': '400' },
  },
  {
    rule: 'groups.body',
    says: 'the group may be a number',
    file: 'operations/wiki/groups.ts',
    find: "group: string('The name of the group.')",
    replace: "group: { json: { type: ['string', 'number'], description: 'The group.' } }",
    readings: { 'unknown-group': 'skip' },
  },
  {
    rule: 'groups.add-users',
    says: 'nobody joins',
    file: 'operations/wiki/groups.ts',
    find: 'const joining = users.filter(user => !members?.has(user));',
    replace: 'const joining = users.filter(user => members?.has(user));',
  },
  {
    rule: 'groups.remove-users',
    says: 'only the first leaves',
    file: 'operations/wiki/groups.ts',
    find: 'const leaving = users.filter(user => members?.has(user));',
    replace: 'const leaving = users.filter(user => members?.has(user)).slice(0, 1);',
  },
  {
    rule: 'groups.set-users',
    says: 'the old members stay',
    file: 'operations/wiki/groups.ts',
    find: "[{ type: 'group-members-set', group, users }]",
    replace: "users.map(user => ({ type: 'group-member-added', group, user }) as const)",
  },
  {
    rule: 'permissions.body',
    says: 'the users may be no list',
    file: 'operations/wiki/permissions.ts',
    find: "users: array(string('A user name.'), 'Users, by name.')",
    replace: "users: { json: { description: 'Users.' } } as never",
    readings: { 'unknown-user': 'skip' },
  },
  ...(['edit', 'view'] as const).flatMap(permission => [
    {
      rule: `permissions.${permission}-add`,
      says: 'the other permission is given as well where one user is named alone',
      file: 'operations/wiki/permissions.ts',
      ...onBoth(permission, 'added', 'named.users.length === 1 && named.groups.length === 0'),
      readings: strict,
    },
    {
      rule: `permissions.${permission}-remove`,
      says: 'two groups are skipped that are named with one user',
      file: 'operations/wiki/permissions.ts',
      find: 'changed(pageId, page, permission, named, what))',
      replace: withoutGroups(
        `permissions.join() === '${permission}' && what === 'removed' && named.groups.length === 2 && named.users.length === 1`,
      ),
      readings: strict,
    },
  ]),
  {
    rule: 'permissions.all-remove',
    says: 'the view permission is forgotten',
    file: 'operations/wiki/permissions.ts',
    find: "change(given, ['edit', 'view'], 'removed'",
    replace: "change(given, ['edit'], 'removed'",
    readings: strict,
  },
  {
    rule: 'permissions.heading-method',
    says: 'POST does what the first operation of the path does',
    file: 'engine/request/stages/method.ts',
    find: 'progress.operation = meant;',
    replace: 'progress.operation = endpoint.operations[0] ?? meant;',
    readings: strict,
  },
  {
    rule: 'permissions.groups-field',
    says: 'all-remove passes groups over',
    file: 'operations/wiki/permissions.ts',
    find: 'changed(pageId, page, permission, named, what))',
    replace: withoutGroups('permissions.length > 1'),
    readings: strict,
    or: 'permissions.all-remove',
  },
  {
    rule: 'spaces.sidebar-link',
    says: 'a link with a query is skipped',
    file: 'operations/wiki/spaces.ts',
    find: 'given.accept([{ type, space: spaceKey, label, url }]',
    replace: "given.accept(url.includes('?') ? [] : [{ type, space: spaceKey, label, url }]",
    readings: { 'sidebar-duplicate': '409' },
  },
  {
    rule: 'spaces.copy',
    says: 'pages that have been edited are left out',
    file: 'domain/facts.ts',
    find: 'const pages = pagesOf(world, fact.source).map(',
    replace: 'const pages = pagesOf(world, fact.source).filter(([, { version }]) => version === 1).map(',
  },
  {
    rule: 'spaces.copy-query-only',
    says: 'a body that is no JSON is refused',
    file: 'engine/request/stages/json-body.ts',
    find: 'if (spec === undefined) return undefined;',
    replace:
      "if (spec === undefined) return request.body.kind === 'not-json' ? given.refuse('body-not-json', 'It is no JSON.') : undefined;",
    readings: { 'wiki-prefix': 'rest' },
  },
  {
    rule: 'spaces.copy-default-admin',
    says: 'there is no default admin',
    file: 'operations/wiki/copy.ts',
    find: 'const first = firstAdmin(given.world);',
    replace: 'const first: string | undefined = firstAdmin({ ...given.world, users: given.world.users.clear() });',
  },
  {
    rule: 'spaces.copy-remove-admin',
    says: 'it breaks where a user who is no admin is to be removed',
    file: 'operations/wiki/copy.ts',
    find: "if (removeAdminPermissions) given.applies('spaces.copy-remove-admin');",
    replace: "if (removeAdminPermissions && given.world.users.get(admin)?.admin !== true) throw new Error('broken');",
  },
  {
    rule: 'spaces.copy-remove-admin',
    says: 'the admin stays where it is to be removed, and is removed where it is to stay',
    file: 'operations/wiki/copy.ts',
    find: 'removeAdminPermissions ? inherited.delete(admin) : inherited.add(admin)',
    replace: 'removeAdminPermissions ? inherited.add(admin) : inherited.delete(admin)',
    unseen: 'no documented operation shows who is permitted in a space',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    says: 'authors and dates are kept where they are not to be',
    file: 'operations/wiki/copy.ts',
    find: '!keepPagesMetadata && {',
    replace: 'keepPagesMetadata && {',
    unseen: 'no documented operation shows who wrote a page, or when',
  },
  {
    rule: 'spaces.is-unique',
    says: 'the key of one space with the name of another is free',
    file: 'operations/wiki/spaces.ts',
    find: 'taken.either ||= hasKey || hasName;',
    replace: 'if (hasKey || hasName) taken.either = !taken.either;',
  },
  {
    rule: 'spaces.replace-list',
    says: 'a new text may be null',
    file: 'operations/wiki/replace-in-page.ts',
    find: "newText: string('What takes its place.')",
    replace: "newText: { json: { type: ['string', 'null'], description: 'A text.' } }",
  },
  {
    rule: 'spaces.replace-body',
    says: 'the body never gets much shorter',
    file: 'operations/wiki/replace-in-page.ts',
    find: 'edit(given, id, page, texts.body.text, texts.title.text)',
    replace:
      'edit(given, id, page, page.body.length - texts.body.text.length > 4 ? page.body : texts.body.text, texts.title.text)',
    readings: { 'replace-not-found': '404' },
  },
  {
    rule: 'spaces.replace-title',
    or: 'spaces.replace-list', // with the body out of sight, either explains all that fails
    says: 'a list of more than two leaves the title as it is',
    file: 'operations/wiki/replace-in-page.ts',
    find: 'edit(given, id, page, texts.body.text, texts.title.text)',
    replace: 'edit(given, id, page, texts.body.text, given.input.body.length > 2 ? page.title : texts.title.text)',
  },
  {
    rule: 'ppf.push',
    says: 'of several users one is ignored in silence',
    file: 'operations/push-pull/concerned.ts',
    find: 'ids: [id], users: recipients });',
    replace:
      "ids: [id], users: effect.mustSee && kind === 'dashboards' && recipients.length > 1 ? recipients.slice(1) : recipients });",
    readings: reported,
  },
  {
    rule: 'ppf.pull',
    says: 'of several users one is ignored in silence',
    file: 'operations/push-pull/concerned.ts',
    find: 'ids: [id], users: recipients });',
    replace: 'ids: [id], users: !effect.mustSee && recipients.length > 1 ? recipients.slice(1) : recipients });',
    readings: reported,
  },
  {
    rule: 'ppf.body-types',
    says: 'ids may be text',
    file: 'operations/push-pull/push-pull.ts',
    find: "filters: array(integer('The id of a filter.'), 'Filters, by id.')",
    replace: "filters: array({ json: { type: ['integer', 'string'], description: 'An id.' } }, 'Filters, by id.')",
  },
  {
    rule: 'ppf.needs-recipient',
    says: 'a dashboard counts as a recipient',
    file: 'operations/push-pull/push-pull.ts',
    find: "anyOfFields(['users', 'groups'],",
    replace: "anyOfFields(['users', 'groups', 'dashboards'],",
  },
  {
    rule: 'ppf.needs-item',
    says: 'it takes requests without filters and dashboards',
    file: 'operations/push-pull/push-pull.ts',
    find: "anyOfFields(['filters', 'dashboards'], 'ppf.needs-item', 'At least one of filters and dashboards.', 'PushPullItems'),",
    replace: '',
  },
  {
    rule: 'ppf.invalid-is-400',
    says: 'without items the answer is 422',
    file: 'domain/refusals.ts',
    find: "'ppf-no-item': {\n    status: 400,",
    replace: "'ppf-no-item': {\n    status: 422,",
  },
  {
    rule: 'ppf.processed-is-200',
    says: 'for four items or more the answer is 202',
    file: 'operations/push-pull/transfer.ts',
    find: 'return given.accept(kept(given, outcome.facts, messages), {\n    status: 200,',
    replace:
      'return given.accept(kept(given, outcome.facts, messages), {\n    status: (named.items.length > 3 ? 202 : 200) as 200,',
  },
  {
    rule: 'ppf.success-flag',
    says: 'success is true where something was done',
    file: 'operations/push-pull/transfer.ts',
    find: 'success: messages.length === 0, messages',
    replace: 'success: messages.length === 0 || outcome.facts.length > 0, messages',
  },
  {
    rule: 'ppf.failure-message',
    says: 'the messages are left out',
    file: 'operations/push-pull/transfer.ts',
    find: 'success: messages.length === 0, messages',
    replace: 'success: messages.length === 0, messages: []',
  },
  {
    rule: 'ppf.authenticated',
    says: 'whoever says nothing of himself is served',
    file: 'operations/access.ts',
    find: 'const { caller, world } = given;',
    replace: "const { caller, world } = given;\n    if (caller.kind === 'anonymous') return undefined;",
  },
  {
    rule: 'ppf.admin-only',
    says: 'every user is served',
    file: 'operations/access.ts',
    find: 'if (!isAdmin(given))',
    replace: "if (caller.name === '')",
  },
  {
    rule: 'ppf.licensed-only',
    says: 'it is served without a licence',
    file: 'operations/access.ts',
    find: "if (world.licence.ppf !== 'valid')",
    replace: "if (world.licence.ppf === 'none')",
    unseen: 'no documented operation takes a licence away',
  },
];
