// Runs a table of calls in every way in which a fake can be reached: each row must get the same responses in all of them.
import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { type Call, requestFor } from '../../../server/derive/sending/call.js';
import { createFake, type Fake, startFake } from '../../../server/index.js';
import { anyOperationOf } from '../../../server/operations/catalog/catalog.js';
import { BASE } from './ask-resource.js';

export interface MatrixRow {
  readonly what: string;
  /** Sent one after another, to the unchanged world of `small-team`. */
  readonly calls: readonly MatrixCall[];
}

export interface MatrixCall {
  /** Of an operation or a resource. */
  readonly id: string;
  readonly call?: Call;
  readonly status: number;
  /** The parsed body, where links begin with `http://127.0.0.1:8080` and the context is empty. Default: not compared. */
  readonly body?: unknown;
  /** Part of the body as text. */
  readonly shows?: string;
}

interface Way {
  readonly start: () => Promise<Fake>;
  /** Default: the sandbox `default`. */
  readonly sandbox?: string;
  /** Before the path of each request. */
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

      for (const { what, calls } of rows)
        it(what, async () => {
          await fake.sandbox(sandbox).reset();
          for (const one of calls) await expectResponse(fake, way, one);
          if (sandbox !== 'default') expect((await fake.sandbox('default').describe()).version).to.equal(0);
        });
    });
}

async function expectResponse(fake: Fake, way: Way, { id, call, status, body, shows = '' }: MatrixCall): Promise<void> {
  const operation = anyOperationOf(id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  const { prefix = '', headers = {}, links = prefix, isTimed } = way;
  const request = requestFor(operation, call);
  const clock = isTimed && FakeTimers.install({ now: 0, toFake: [...replaced] });
  try {
    const response = await fake.fetch(prefix + request.path, {
      method: request.method,
      headers: { ...request.headers, ...headers },
      ...(request.body !== undefined && { body: String(request.body) }),
    });
    const text = await response.text();
    expect(response.status, text).to.equal(status);
    expect(response.headers.get('x-fake-operation'), 'X-Fake-Operation').to.equal(id);
    const plain = text.replaceAll(fake.url + links, BASE).replace(`"context":"${links}"`, '"context":""');
    const found = plain === '' ? undefined : JSON.parse(plain);
    expect(text).to.include(shows);
    if (body !== undefined) expect(found).to.deep.equal(body);
  } finally {
    if (clock) clock.uninstall();
  }
}
