// Random courses of one sandbox, step by step: every operation, requests that are none, wrong credentials, and changes from behind.
import fc from 'fast-check';
import { authorization, requestFor } from '../../../server/derive/sending/call.js';
import type { Sandbox } from '../../../server/index.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { gapIds, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Operation } from '../../../server/operations/operation.js';

type CourseStep = (sandbox: Sandbox) => Promise<unknown>;

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is written so in a file
const PLACE = '${run}';

const users = fc.constantFrom('admin', 'alice', 'carol', 'Alice', 'bob', '__proto__');
const groups = fc.constantFrom('customers', 'team-members', 'Customers', 'nobodies');
const ids = fc.constantFrom(10500, 10600, 11000, 11100, 1);
const texts = fc.constantFrom(
  ...['ds', 'tmpl', 'NEW', 'Template Home', 'NAME', 'true', 'false', 'a b', 'ü', '', PLACE, '401'],
);
const none = fc.constant(undefined);

/** Values of fields by name; all others are texts. */
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  group: groups,
  users: fc.array(users, { maxLength: 3 }),
  groups: fc.array(groups, { maxLength: 2 }),
  filters: fc.array(ids, { maxLength: 2 }),
  dashboards: fc.array(ids, { maxLength: 2 }),
};

interface BodySchema {
  readonly items?: BodySchema;
  readonly properties?: object;
  readonly required?: readonly string[];
}

/** Values of roughly the form of a schema. */
function formed({ items, properties = {}, required = [] }: BodySchema): fc.Arbitrary<unknown> {
  if (items !== undefined) return fc.array(formed(items), { maxLength: 2 });
  const record: Record<string, fc.Arbitrary<unknown>> = { odd: texts };
  for (const name of Object.keys(properties)) record[name] = fields[name] ?? texts;
  return fc.record(record, { requiredKeys: [...required] });
}

const bodyOf = ({ body }: Operation) => (body === undefined ? none : formed(body.schema as BodySchema));
const any = fc.oneof<fc.Arbitrary<unknown>[]>(...operations.map(bodyOf));

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
      body: mostly<unknown>(bodyOf(operation), any),
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
