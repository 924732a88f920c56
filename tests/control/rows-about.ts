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
    endpoint: 'GET /_fake/health',
    cases: [
      {
        what: 'reports that it serves',
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
  },
  {
    id: 'scenarios.list',
    endpoint: 'GET /_fake/v1/scenarios',
    cases: [
      {
        what: 'lists them',
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
  },
  {
    id: 'openapi.read',
    endpoint: 'GET /_fake/v1/openapi.json',
    cases: [
      {
        what: 'is the committed one, at the address asked',
        tells: (response: object) => expect(atDefault(response)).to.deep.equal(JSON.parse(committed('openapi.json'))),
        library: (_, fake) => fake.openapi(),
      },
    ],
  },
  {
    id: 'control-openapi.read',
    endpoint: 'GET /_fake/v1/control-openapi.json',
    cases: [
      {
        what: 'is the committed one, at the address asked',
        tells: (response: object) =>
          expect(atDefault(response)).to.deep.equal(JSON.parse(committed('control-openapi.json'))),
        library: (_, fake) => fake.controlOpenapi(),
      },
    ],
  },
  {
    id: 'ledger.read',
    endpoint: 'GET /_fake/v1/ledger',
    cases: [
      {
        what: 'is the shipped one',
        tells: (response: object) => expect(response).to.deep.equal(shippedLedger()),
        library: (_, fake) => fake.ledger(),
      },
    ],
  },
  {
    id: 'guide.read',
    endpoint: 'GET /_fake/v1/guide',
    cases: [
      {
        what: 'is the committed one, at the address asked',
        tells: (response: string) => expect(atDefault(response)).to.equal(committed('guide.md')),
        library: (_, fake) => fake.guide(),
      },
    ],
  },
  {
    id: 'metrics.read',
    endpoint: 'GET /_fake/v1/metrics',
    cases: [
      {
        what: 'reports the number of live sandboxes',
        tells: (response: string) => expect(response).to.match(/^cwx_fake_sandboxes [1-9]/m),
        library: (_, fake) => fake.metrics(),
        varies: /.+/gs,
      },
    ],
  },
  {
    id: 'coverage.read',
    endpoint: 'GET /_fake/v1/coverage',
    cases: [
      {
        what: 'counts the requests of the sandbox',
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
      { what: 'an invalid mark', query: 'since=yesterday', says: 'since must be the mark of an earlier response' },
    ],
  },
];
