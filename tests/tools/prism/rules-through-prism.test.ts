// Every shipped scenario, each probe under each reading of its gap, through the validating proxy Prism: no response violates
// the published document, and a request that does succeeds only where a rule or a reading is lenient.
import { expect } from 'chai';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { parseReadings } from '../../../server/engine/request/readings.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import {
  defaultReadings,
  gapIds,
  layReadings,
  type Readings,
  readingNames,
} from '../../../server/operations/gaps/gaps.js';
import { Player } from '../../../server/scenario/play/player.js';
import { type Run, readingsOf, runName } from '../../../server/scenario/play/runs.js';
import type { RawResponse, Target } from '../../../server/scenario/play/target.js';
import { assembled, shippedRuns } from '../../support/scenarios/shipped-runs.js';
import { type Exchange, ValidatingProxy } from './validating-proxy.js';

class Proxies {
  readonly #byReadings = new Map<string, Promise<ValidatingProxy>>();
  readonly #byDocument = new Map<string, Promise<ValidatingProxy>>();

  /** The proxy that holds the document under these readings. */
  under(readings: Readings): Promise<ValidatingProxy> {
    const key = JSON.stringify(readings);
    const known = this.#byReadings.get(key) ?? this.#holding(openapiOf(readings));
    this.#byReadings.set(key, known);
    return known;
  }

  async stop(): Promise<void> {
    for (const proxy of this.#byDocument.values()) await (await proxy).stop();
  }

  /** Documents that differ only in what they tell people, or in what is ours, are one to a proxy. */
  #holding(document: object): Promise<ValidatingProxy> {
    const key = JSON.stringify(document, (name, value) =>
      /^(description|examples|x-.*)$/.test(name) ? undefined : value,
    );
    const known = this.#byDocument.get(key) ?? ValidatingProxy.start(document);
    this.#byDocument.set(key, known);
    return known;
  }
}

/** The same target, asked through a proxy. `readings`: those that count where a request chooses none. */
function through(
  proxies: Proxies,
  target: Target,
  readings: () => Readings,
  note: (exchange: Exchange) => void,
): Target {
  return {
    ...target,
    send: async request => {
      const header = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'x-fake-reading')?.[1];
      const chosen = parseReadings(header ?? '');
      const proxy = await proxies.under(layReadings(readings(), 'readings' in chosen ? chosen.readings : {}));
      const exchange = await proxy.pass(request, async asked => (await target.send(asked)) as RawResponse); // every target here keeps the bytes
      note(exchange);
      return exchange.answered;
    },
  };
}

function kindsOf(violations: readonly string[]): readonly string[] {
  return [...new Set(violations.map(kindOf))].sort();
}

const kinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Selected route not found/, 'address'],
  [/^Invalid security scheme used/, 'credentials'],
  [/upported content types/, 'content type'],
  [/^(Body parameter is required|Request body)/, 'body'],
  [/^Request path parameter/, 'path'],
  [/^Request query/, 'query'],
];

function kindOf(violation: string): string {
  return kinds.find(([pattern]) => pattern.test(violation))?.[1] ?? violation;
}

/**
 * The requests that violate the document and succeed all the same, because a rule or a reading is more lenient: how many in each scenario under all
 * its readings, and how. Prism treats an empty query parameter as missing: an empty targetSpaceAdmin is as documented.
 */
const accepted: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'locking-down-a-page': { address: 1 },
  'onboarding-a-team': { address: 1 },
  'reading-back': { address: 7 },
  'template-copy': { query: 1 },
  'rules/address.context-path': { address: 13 },
  'rules/address.json-bodies': { address: 1, 'content type': 1 },
  'rules/address.no-context-path': { address: 2 },
  'rules/expand': { address: 3 },
  'rules/spaces.copy': { query: 2 },
  'rules/spaces.is-unique': { 'content type': 7 },
  'gaps/auth-scheme': { credentials: 2 },
  'gaps/content-type': { 'content type': 5 },
  'gaps/repeated-parameter': { query: 2 },
  'gaps/space-title-form': { query: 1 },
  'gaps/trailing-slash': { address: 1 },
  'gaps/version-segment': { address: 1 },
  'gaps/wiki-prefix': { address: 2 },
};

describe('the rules, through the validating proxy Prism', function () {
  this.timeout(600_000); // it starts a proxy for each document
  let noted: readonly NewJournalEntry[];
  let failed: readonly string[];
  const proxies = new Proxies();

  before(async () => {
    ({ noted, failed } = await playedThrough(proxies, shippedRuns()));
  });
  after(() => proxies.stop());

  it('pass as they do without it', () => {
    expect(failed).to.deep.equal([]);
    expect(noted).to.have.lengthOf.above(700);
  });

  it('get no response that violates the document, except those of faults', () => {
    const wrong = noted.filter(({ ofResponse }) => ofResponse.length > 0);
    expect(wrong.map(shownExchange)).to.deep.equal(
      wrong.filter(({ answered }) => 'x-fake-fault' in answered.headers).map(shownExchange),
    );
    expect(wrong.map(({ run, answered }) => `${run}: ${answered.status}`)).to.deep.equal(['bad-day: 503']);
  });

  it('succeed with such a request only if a rule or a reading is lenient', () => {
    const found = countedBy(noted.filter(({ ofRequest, answered }) => ofRequest.length > 0 && answered.status < 400));
    expect(found).to.deep.equal(accepted);
  });

  it('are called under every reading of every gap', () => {
    const decided = noted.flatMap(({ answered }) => (answered.headers['x-fake-gaps'] ?? '').split(', '));
    const probed = noted.flatMap(({ run }) => /\((.*)\)$/.exec(run)?.[1] ?? []);
    const seen = new Set([...decided, ...probed]);
    const all = gapIds.flatMap(gap => readingNames(gap).map(reading => `${gap}=${reading}`));
    expect(all.filter(one => !seen.has(one))).to.deep.equal([]);
  });
});

interface NewJournalEntry extends Exchange {
  readonly run: string;
}

interface PlayedThrough {
  readonly noted: readonly NewJournalEntry[];
  readonly failed: readonly string[];
}

async function playedThrough(proxies: Proxies, runs: readonly Run[]): Promise<PlayedThrough> {
  const on = await assembled();
  const noted: NewJournalEntry[] = [];
  const failed: string[] = [];
  for (const run of runs) {
    const readings = () => on.session.sandboxes.find('run')?.readings ?? defaultReadings;
    const target = through(proxies, inProcess(on, 'run'), readings, one => noted.push({ ...one, run: runName(run) }));
    for await (const { outcome, step } of new Player(run.loaded, target, { readings: readingsOf(run) }).all())
      if (outcome !== 'passed') failed.push(`${runName(run)}: ${step.say}`);
  }
  on.end();
  return { noted, failed };
}

function shownExchange({ run, asked, answered, ofResponse }: NewJournalEntry): string {
  return `${run}: ${asked.method} ${asked.path} -> ${answered.status}: ${ofResponse.join('; ')}`;
}

/** How many requests of each scenario depart, under all its readings, and in what. */
function countedBy(exchanges: readonly NewJournalEntry[]): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const counted: Record<string, Record<string, number>> = {};
  for (const { run, ofRequest } of exchanges) {
    const scenario = run.replace(/ \(.*\)$/, '');
    const kind = kindsOf(ofRequest).join(' and ');
    counted[scenario] ??= {};
    counted[scenario][kind] = (counted[scenario][kind] ?? 0) + 1;
  }
  return counted;
}
