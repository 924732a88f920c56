// Some shipped scenarios and rules through the validating proxy Prism; tests/proof/outside-tools plays all, under every reading.
import { expect } from 'chai';
import { runName } from '../../server/scenario/play/runs.js';
import {
  countedBy,
  type PlayedThrough,
  playedThrough,
  shownExchange,
} from '../support/outside-tools/played-through.js';
import { Proxies } from '../support/outside-tools/proxied.js';
import { shippedRuns } from '../support/scenarios/shipped-runs.js';
import { accepted, departing } from './departing-requests.js';

/** With a fault, with a query, without credentials, and with bodies that violate the document. */
const names = ['bad-day', 'template-copy', 'rules/groups.body', 'rules/ppf.access', 'rules/spaces.copy'];

describe('some rules, through the validating proxy Prism', function () {
  this.timeout(120_000);
  const proxies = new Proxies();
  let played: PlayedThrough;
  before(async () => {
    const runs = shippedRuns().filter(run => names.includes(runName(run)));
    expect(runs.map(runName)).to.have.members(names);
    played = await playedThrough(proxies, runs);
  });
  after(() => proxies.stop());

  const meant = (counts: typeof departing) =>
    Object.fromEntries(Object.entries(counts).filter(([run]) => names.includes(run)));

  it('pass as they do without it', () => {
    expect(played.failed).to.deep.equal([]);
    expect(played.noted).to.have.lengthOf.above(50);
  });

  it('get no response that violates the document, except those of faults', () => {
    const wrong = played.noted.filter(({ ofAnswer }) => ofAnswer.length > 0);
    expect(wrong.map(shownExchange)).to.deep.equal(
      wrong.filter(({ answered }) => 'x-fake-fault' in answered.headers).map(shownExchange),
    );
    expect(wrong.map(({ run, answered }) => `${run}: ${answered.status}`)).to.deep.equal(['bad-day: 503']);
  });

  it('send only the intended violations, and succeed with them only if intended', () => {
    const found = played.noted.filter(({ ofRequest }) => ofRequest.length > 0);
    expect(countedBy(found)).to.deep.equal(meant(departing));
    expect(countedBy(found.filter(({ answered }) => answered.status < 400))).to.deep.equal(meant(accepted));
  });
});
