// Random courses of one sandbox, step by step: every operation, requests that are none, wrong credentials, and changes from behind.
import fc from 'fast-check';
import { authorization, requestFor } from '../../../server/derive/sending/call.js';
import type { Sandbox } from '../../../server/index.js';
import { type OperationId, operations } from '../../../server/operations/catalog/catalog.js';
import { gapIds, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';

export type CourseStep = (sandbox: Sandbox) => Promise<unknown>;

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is written so in a file
const PLACE = '${run}';

const users = fc.constantFrom('admin', 'alice', 'carol', 'Alice', 'bob', '__proto__');
const groups = fc.constantFrom('customers', 'team-members', 'Customers', 'nobodies');
const ids = fc.constantFrom(10500, 10600, 11000, 11100, 1);
const texts = fc.constantFrom(
  ...['ds', 'tmpl', 'NEW', 'Template Home', 'NAME', 'true', 'false', 'a b', 'ü', '', PLACE, '401'],
);
const inGroup = fc.record({ group: groups, users: fc.array(users, { maxLength: 3 }) });
const restricting = fc.record({ users: fc.array(users, { maxLength: 2 }), groups: fc.array(groups, { maxLength: 2 }) });
const transfer = fc.record(
  {
    users: fc.array(users, { maxLength: 2 }),
    groups: fc.array(groups, { maxLength: 2 }),
    filters: fc.array(ids, { maxLength: 2 }),
    dashboards: fc.array(ids, { maxLength: 2 }),
    odd: texts,
  },
  { requiredKeys: ['users', 'filters'] },
);
const link = fc.record({ spaceKey: texts, label: texts, url: texts });
const pairs = fc.array(fc.record({ oldText: texts, newText: texts }), { maxLength: 2 });
const none = fc.constant(undefined);
const any = fc.oneof<fc.Arbitrary<unknown>[]>(inGroup, restricting, transfer, link, pairs, none);

const bodies: { readonly [Id in OperationId]: fc.Arbitrary<unknown> } = {
  'groups.add-users': inGroup,
  'groups.remove-users': inGroup,
  'groups.set-users': inGroup,
  'permissions.edit-add': restricting,
  'permissions.edit-remove': restricting,
  'permissions.view-add': restricting,
  'permissions.view-remove': restricting,
  'permissions.all-remove': restricting,
  'spaces.add-sidebar-link': link,
  'spaces.copy': none,
  'spaces.is-unique': none,
  'spaces.replace-in-page': pairs,
  'ppf.push': transfer,
  'ppf.pull': transfer,
};

function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: other });
}

const seldom = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  mostly<T | undefined>(fc.constant(undefined), fc.constantFrom(...values));

const parameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  spaceKey: fc.constantFrom('ds', 'tmpl', 'TMPL', 'NEW'),
  sourceSpaceKey: fc.constantFrom('ds', 'tmpl'),
  targetSpaceKey: fc.constantFrom('ds', 'NEW', 'NEWER', 'no-key'),
  targetSpaceAdmin: fc.constantFrom('', 'alice', 'bob'),
  pageTitle: fc.constantFrom('Template Home', 'Welcome', 'None'),
  removeAdminPermissions: fc.constantFrom('true', 'false'),
  keepPagesMetadata: fc.constantFrom('true', 'false', 'perhaps'),
};

const readings: fc.Arbitrary<SomeReadings> = fc
  .constantFrom(...gapIds.filter(gap => gap !== 'context-path'))
  .chain(gap => fc.constantFrom(...readingNames(gap)).map(reading => ({ [gap]: reading })));
const asAdmin = authorization({ user: 'admin', password: 'admin' });
const proofs = fc.constantFrom<string | undefined>(
  undefined,
  authorization({ user: 'carol', password: 'carol' }),
  authorization({ user: 'carol', password: 'wrong-secret' }),
  authorization({ user: 'nobody', password: 'wrong-secret' }),
  authorization({ token: 'admin-token' }),
  authorization({ token: 'wrong-secret' }),
  'Basic wrong-secret',
  'Digest wrong-secret',
);

const asking = fc.constantFrom(...operations).chain(operation =>
  fc
    .record({
      params: fc.record({ pageId: fc.constantFrom('65601', '65701', '1', 'a/b') }),
      query: fc.record(
        Object.fromEntries(Object.keys(operation.query ?? {}).map(name => [name, parameters[name] ?? texts])),
      ),
      body: mostly<unknown>(bodies[operation.id as OperationId], any), // an operation of the catalog
      readings: mostly<SomeReadings>(fc.constant({}), readings),
      proof: fc.oneof({ weight: 4, arbitrary: fc.constant(asAdmin) }, { weight: 1, arbitrary: proofs }),
      method: seldom('POST', 'PUT', 'DELETE', 'GET', 'HEAD', 'OPTIONS'),
      type: seldom('text/plain', ''),
      prefix: seldom('/wiki', '/a/b', '/x'),
    })
    .map(({ proof, method, type, prefix = '', ...call }): CourseStep => {
      const named = {
        ...(proof !== undefined && { Authorization: proof }),
        ...(type !== undefined && { 'Content-Type': type }),
      };
      const request = requestFor(operation, { ...call, headers: named });
      const asked = method ?? request.method;
      const hasBody = request.body !== undefined && asked !== 'GET' && asked !== 'HEAD';
      const init = { method: asked, headers: request.headers, ...(hasBody && { body: String(request.body) }) };
      return sandbox => sandbox.fetch(`${prefix}${request.path}`, init);
    }),
);

const behind: fc.Arbitrary<CourseStep> = fc.oneof(
  fc.array(fc.constantFrom('alice', 'carol'), { maxLength: 2 }).map(
    (list): CourseStep =>
      sandbox =>
        sandbox.patch({ groups: { customers: [...new Set(list)] }, users: { bob: { password: 'a-secret' } } }),
  ),
  readings.map(
    (chosen): CourseStep =>
      sandbox =>
        sandbox.readings.set(chosen),
  ),
  fc
    .constantFrom(
      { status: 503 },
      { retryAfter: 3 },
      { garble: true } as const,
      { hangUp: true } as const,
      { truncateAt: 5 },
      { headers: { 'X-A': 'b' } },
      { partial: { succeed: 1 } },
    )
    .chain(effect =>
      fc
        .record({ phase: fc.constantFrom('before' as const, 'after' as const), every: fc.integer({ min: 1, max: 3 }) })
        .map(
          ({ phase, every }): CourseStep =>
            sandbox =>
              sandbox.faults.set([
                { path: '/rest/*/latest/*', when: { every }, phase, effect },
                { operation: 'partial' in effect ? 'ppf.push' : 'groups.add-users', when: { every }, phase, effect },
              ]),
        ),
    ),
  fc.constant<CourseStep>(sandbox => sandbox.faults.clear()),
  fc.constant<CourseStep>(sandbox => sandbox.snapshot('s', { replace: true })),
  fc.nat(3).map(
    (back): CourseStep =>
      async sandbox =>
        sandbox.rewind(Math.max(0, (await sandbox.version()) - back)),
  ),
);

/** Up to so many steps, most of them requests. */
export function courses(maxLength: number): fc.Arbitrary<readonly CourseStep[]> {
  return fc.array(fc.oneof({ weight: 6, arbitrary: asking }, { weight: 1, arbitrary: behind }), {
    minLength: 1,
    maxLength,
  });
}

/** Goes a course; a connection that a fault breaks is a part of it. */
export async function go(sandbox: Sandbox, course: readonly CourseStep[]): Promise<void> {
  for (const step of course) {
    await step(sandbox).catch((error: unknown) => {
      if (!(error instanceof Error) || !/connection|fetch failed/.test(error.message)) throw error;
    });
  }
}
