// The rows about the server itself: health, scenarios, documents, coverage, and the events of a sandbox.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { packageVersion } from '../../server/process/package.js';
import { shippedLedger } from '../../server/scenario/load/shipped-ledger.js';
import type { Row } from './row.js';

const committed = (name: string): string => readFileSync(new URL(`../../contracts/${name}`, import.meta.url), 'utf8');

/** The same document of a server at the default address. */
function atDefault<T>(response: T): T {
  return JSON.parse(JSON.stringify(response).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080'));
}

export const aboutRows: readonly Row[] = [
  {
    id: 'health',
    method: 'GET',
    path: '/_fake/health',
    call: 'fake.health()',
    does: '200 once it serves: version, default scenario, uptime, memory, store',
    cases: [
      {
        what: 'reports that it serves',
        status: 200,
        tells: ({ uptime, memory, ...rest }: { uptime: number; memory: { used: number; limit: number } }) => {
          expect(uptime).to.be.at.least(0);
          expect(memory.limit).to.equal(512 * 1024 * 1024);
          expect(memory.used).to.be.within(1, memory.limit);
          expect(rest).to.deep.equal({
            status: 'ok',
            version: packageVersion(),
            scenario: 'small-team',
            sandboxes: 'auto',
            store: 'memory',
          });
        },
        library: (_, fake) => fake.health(),
        varies: /"uptime":[\d.]+|"used":\d+/g,
      },
    ],
    bad: [],
  },
  {
    id: 'scenarios.list',
    method: 'GET',
    path: '/_fake/v1/scenarios',
    call: 'fake.scenarios()',
    does: 'names, titles, and whether they are demos or cases',
    cases: [
      {
        what: 'lists them',
        status: 200,
        tells: ({ scenarios }: { scenarios: object[] }) => {
          expect(scenarios).to.deep.include({
            name: 'unlicensed',
            title: 'The add-on is not licensed',
            about:
              'What a client sees when the licence of the push and pull add-on has expired. The wiki extension is unaffected.',
            kind: 'case',
          });
        },
        library: async (_, fake) => ({ scenarios: await fake.scenarios() }),
      },
    ],
    bad: [],
  },
  {
    id: 'openapi.read',
    method: 'GET',
    path: '/_fake/v1/openapi.json',
    call: 'fake.openapi()',
    does: 'the OpenAPI document of the operations, under the readings of the server, or of the sandbox that path or header names',
    cases: [
      {
        what: 'is the committed one, at the address asked',
        status: 200,
        tells: (response: object) => expect(atDefault(response)).to.deep.equal(JSON.parse(committed('openapi.json'))),
        library: (_, fake) => fake.openapi(),
      },
    ],
    bad: [],
  },
  {
    id: 'control-openapi.read',
    method: 'GET',
    path: '/_fake/v1/control-openapi.json',
    call: 'fake.controlOpenapi()',
    does: 'the OpenAPI document of this API',
    cases: [
      {
        what: 'is the committed one, at the address asked',
        status: 200,
        tells: (response: object) =>
          expect(atDefault(response)).to.deep.equal(JSON.parse(committed('control-openapi.json'))),
        library: (_, fake) => fake.controlOpenapi(),
      },
    ],
    bad: [],
  },
  {
    id: 'ledger.read',
    method: 'GET',
    path: '/_fake/v1/ledger',
    call: 'fake.ledger()',
    does: 'rules, gaps, readings and refusals, with their evidence',
    cases: [
      {
        what: 'is the shipped one',
        status: 200,
        tells: (response: object) => expect(response).to.deep.equal(shippedLedger()),
        library: (_, fake) => fake.ledger(),
      },
    ],
    bad: [],
  },
  {
    id: 'guide.read',
    method: 'GET',
    path: '/_fake/v1/guide',
    call: 'fake.guide()',
    does: 'the guide, as Markdown',
    cases: [
      {
        what: 'is the committed one, at the address asked',
        status: 200,
        tells: (response: string) => expect(atDefault(response)).to.equal(committed('guide.md')),
        library: (_, fake) => fake.guide(),
      },
    ],
    bad: [],
  },
  {
    id: 'metrics.read',
    method: 'GET',
    path: '/_fake/v1/metrics',
    call: 'fake.metrics()',
    does: 'what has been counted, in the text format of Prometheus',
    cases: [
      {
        what: 'reports the number of live sandboxes',
        status: 200,
        tells: (response: string) => expect(response).to.match(/^cwx_fake_sandboxes [1-9]/m),
        library: (_, fake) => fake.metrics(),
        varies: /.+/gs,
      },
    ],
    bad: [],
  },
  {
    id: 'coverage.read',
    method: 'GET',
    path: '/_fake/v1/coverage',
    call: 'fake.coverage(since?)',
    does: 'operations, rules, refusals and readings that requests of any sandbox have met, with counts; `?since=` a mark',
    cases: [
      {
        what: 'counts the requests of the sandbox',
        status: 200,
        tells: ({ mark, requests, gaps }: { mark: string; requests: number; gaps: Record<string, unknown> }) => {
          expect(mark).to.match(/^[0-9a-f]{8}-\d+$/);
          expect(requests).to.be.at.least(1);
          expect(gaps).to.have.property('wiki-success').that.has.property('object');
        },
        library: (_, fake) => fake.coverage(),
        varies: /.+/gs,
      },
    ],
    bad: [
      {
        what: 'a mark of another process',
        query: 'since=00000000-1',
        status: 410,
        says: '"00000000-1" is unknown: this process keeps',
      },
      {
        what: 'an invalid mark',
        query: 'since=yesterday',
        status: 400,
        says: 'since must be the mark of an earlier response',
      },
    ],
  },
];
