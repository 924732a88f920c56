// Runs a table of calls in every way in which a fake can be reached: each row must get the same responses in all of them.
import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { type Call, type HttpRequest, requestFor } from '../../../server/derive/sending/call.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { createFake, type Fake, type Fault, type Stub, startFake } from '../../../server/index.js';
import { anyOperationOf } from '../../../server/operations/catalog/catalog.js';
import { BASE } from './ask-resource.js';

export interface MatrixRow {
  readonly what: string;
  /** Set before the calls. */
  readonly stubs?: readonly Stub[];
  readonly faults?: readonly Fault[];
  /** Sent one after another, to the unchanged world of `small-team`. */
  readonly calls: readonly MatrixCall[];
}

export interface MatrixCall {
  /** Of an operation or a resource. Absent: there is `request`. */
  readonly id?: string;
  /** A request to nothing that the fake models: its method and path. */
  readonly request?: string;
  /** What such a request has besides. */
  readonly sends?: Pick<Partial<HttpRequest>, 'headers' | 'body'>;
  readonly call?: Call;
  readonly status: number;
  /** The parsed body, where links begin with `http://127.0.0.1:8080` and the context is empty. Default: not compared. */
  readonly body?: unknown;
  readonly shows?: string;
  /** Headers of the response, by name; null: absent. */
  readonly has?: Readonly<Record<string, string | null>>;
}

interface Way {
  readonly start: () => Promise<Fake>;
  /** Default: the sandbox `default`. */
  readonly sandbox?: string;
  readonly prefix?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Before the path of each link in a response. Default: `prefix`. */
  readonly links?: string;
  /** Whether timers and clocks are replaced during each request. */
  readonly isTimed?: true;
}

const ways: Readonly<Record<string, Way>> = {
  'in process': { start: createFake },
  'under fake timers': { start: createFake, isTimed: true },
  'over HTTP': { start: startFake },
  'below a context path': { start: startFake, prefix: '/a-context' },
  'in a sandbox by path': { start: startFake, sandbox: 'by-path', prefix: '/~by-path' },
  'in a sandbox by header': {
    start: startFake,
    sandbox: 'by-header',
    headers: { 'X-Fake-Sandbox': 'by-header' },
    links: '/~by-header',
  },
};

/** What Vitest replaces. `tests/library/fake-timers.test.ts` has other tools. */
const replaced = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
] as const;

/** Declares a test for each row and way. Each row begins in the world of `small-team`, and changes no sandbox but its own. */
export function describeMatrix(title: string, rows: readonly MatrixRow[]): void {
  for (const [name, way] of Object.entries(ways))
    describe(`${title}, ${name}`, () => {
      let fake: Fake;
      before(async () => {
        fake = await way.start();
      });
      after(() => fake.stop());
      const { sandbox = 'default' } = way;

      for (const { what, calls, stubs = [], faults = [] } of rows)
        it(what, async () => {
          await fake.sandbox(sandbox).reset();
          await fake.sandbox(sandbox).stubs.set(stubs);
          await fake.sandbox(sandbox).faults.set(faults);
          for (const one of calls) await expectResponse(fake, way, one);
          if (sandbox !== 'default') expect((await fake.sandbox('default').describe()).version).to.equal(0);
        });
    });
}

async function expectResponse(fake: Fake, way: Way, row: MatrixCall): Promise<void> {
  const { id, status, body, shows = '', has = {} } = row;
  const { prefix = '', headers = {}, links = prefix, isTimed } = way;
  const request = requestOf(row);
  const clock = isTimed && FakeTimers.install({ now: 0, toFake: [...replaced] });
  try {
    const response = await fake.fetch(prefix + request.path, {
      method: request.method,
      headers: { ...request.headers, ...headers },
      ...(request.body !== undefined && { body: String(request.body) }),
    });
    const text = await response.text();
    expect(response.status, text).to.equal(status);
    expect(response.headers.get('x-fake-operation'), 'X-Fake-Operation').to.equal(id ?? null);
    for (const [name, value] of Object.entries(has)) expect(response.headers.get(name), name).to.equal(value);
    const plain = text.replaceAll(fake.url + links, BASE).replace(`"context":"${links}"`, '"context":""');
    const found = plain === '' ? undefined : parsedJson(plain, plain);
    expect(text).to.include(shows);
    if (body !== undefined) expect(found).to.deep.equal(body);
  } finally {
    if (clock) clock.uninstall();
  }
}

function requestOf({ id = '', request, sends, call }: MatrixCall): HttpRequest {
  const operation = anyOperationOf(id);
  if (operation !== undefined) return requestFor(operation, call);
  const [method, path] = request?.split(' ') ?? [];
  if (method === undefined || path === undefined) throw new Error(`there is no operation ${id}`);
  return { method, path, headers: {}, ...sends };
}
