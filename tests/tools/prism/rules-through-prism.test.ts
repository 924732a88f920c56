// Every shipped scenario, each probe under each reading of its gap, and conform, through the validating proxy Prism: no response violates
// the published document, and only the intended requests do.
import { expect } from 'chai';
import { anyServer } from '../../../harness/target/any-server.js';
import { defaultReadings, gapIds, readingNames } from '../../../server/operations/gaps/gaps.js';
import { conformed, rulesThat, scenariosFor } from '../../support/other-servers/conforming.js';
import { shippedRuns } from '../../support/scenarios/shipped-runs.js';
import { useServer } from '../../support/wire/server.js';
import { accepted, departing } from './departing-requests.js';
import { countedBy, type NewJournalEntry, playedThrough, shownExchange } from './played-through.js';
import { Proxies, through } from './proxied.js';
import type { Exchange } from './validating-proxy.js';

describe('the rules, through the validating proxy Prism', () => {
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

  it('send only the intended violations', () => {
    const found = countedBy(noted.filter(({ ofRequest }) => ofRequest.length > 0));
    expect(found).to.deep.equal(departing);
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

  describe('as conform sends them to a server', () => {
    const server = useServer('small-team', { control: 'off' });

    it('get the same verdicts as without it, and no response violates the document', async () => {
      const exchanges: Exchange[] = [];
      const target = through(
        proxies,
        anyServer(server.url),
        () => defaultReadings,
        one => exchanges.push(one),
      );
      const found = await conformed(target, scenariosFor());
      expect(found.left).to.deep.equal([]);
      expect(rulesThat('contradicts', found)).to.deep.equal([]);
      expect(exchanges).to.have.lengthOf.above(300);
      expect(
        exchanges
          .filter(({ ofResponse }) => ofResponse.length > 0)
          .map(one => shownExchange({ ...one, run: 'conform' })),
      ).to.deep.equal([]);
    });
  });
});
