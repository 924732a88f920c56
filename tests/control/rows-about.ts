// The rows about the server itself: health, scenarios, documents, coverage, and the events of a sandbox.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Fake } from '../../server/index.js';
import { packageVersion } from '../../server/process/package.js';
import { shippedLedger } from '../../server/scenario/load/shipped-ledger.js';
import { type Row, row } from './row.js';

const shipped = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The same document of a server at the default address. */
function atDefault<T>(response: T): T {
  return JSON.parse(JSON.stringify(response).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080'));
}

const document = (id: string, path: string, expected: unknown, library: (fake: Fake) => Promise<unknown>): Row => {
  const tells = (response: unknown) => expect(atDefault(response)).to.deep.equal(expected);
  const what = 'is the shipped one, at the address asked';
  return row(id, `GET /_fake/v1/${path}`, { cases: [{ what, tells, library: (_, fake) => library(fake) }] });
};

export const aboutRows: readonly Row[] = [
  row('health', 'GET /_fake/health', {
    cases: [
      {
        what: 'reports that it serves',
        tells: ({ uptime, memory, ...rest }: { uptime: number; memory: { used: number; limit: number } }) => {
          expect(uptime).to.be.at.least(0);
          expect(memory.limit).to.equal(256 * 1024 * 1024);
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
  }),
  row('scenarios.list', 'GET /_fake/v1/scenarios', {
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
  }),
  document('openapi.read', 'openapi.json', JSON.parse(shipped('contracts/openapi.json')), fake => fake.openapi()),
  document(
    'control-openapi.read',
    'control-openapi.json',
    JSON.parse(shipped('dist/contracts/control-openapi.json')),
    fake => fake.controlOpenapi(),
  ),
  document('ledger.read', 'ledger', shippedLedger(), fake => fake.ledger()),
  document('guide.read', 'guide', shipped('dist/contracts/guide.md'), fake => fake.guide()),
  row('metrics.read', 'GET /_fake/v1/metrics', {
    cases: [
      {
        what: 'reports the number of live sandboxes',
        tells: (response: string) => expect(response).to.match(/^cwx_fake_sandboxes [1-9]/m),
        library: (_, fake) => fake.metrics(),
        varies: /.+/gs,
      },
    ],
  }),
  row('coverage.read', 'GET /_fake/v1/coverage', {
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
      { what: 'a mark of another process', query: 'since=00000000-1', status: 410, says: 'does not know the mark' },
      { what: 'an invalid mark', query: 'since=yesterday', says: '"since" must be the mark of an earlier response' },
    ],
  }),
];
