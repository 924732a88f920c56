// Contracts with a provider whose faults are armed: a contract may expect the response of a fault, which proves no rule.
import { expect } from 'chai';
import { useSharedScratch } from '../../support/files/scratch.js';
import { contractOf, ppf, pushes, replies, verifying } from './running.js';

const push = { users: ['alice'], filters: [10500] };

describe('verify: faults of a scenario', () => {
  const story = (effect: string) =>
    `title: A fault\nabout: It takes the place of the response.\nfixture: small-team\nfaults:\n  - { operation: ppf.push, effect: ${effect} }\nsteps: []\n`;
  const folder = useSharedScratch({
    'busy.yaml': story('{ status: 503, retryAfter: 2 }'),
    'gone.yaml': story('{ hangUp: true }'),
  });

  it('answer what a contract about a busy server expects, and prove nothing about the document', async () => {
    const contract = contractOf([pushes('a push to a busy server', push, replies(503))], ppf);
    const { verdicts } = await verifying(contract, { scenario: `${folder.path}/busy.yaml` });
    expect(
      verdicts.map(({ outcome, rules, gaps, classification }) => [outcome, rules, gaps, classification]),
    ).to.deep.equal([['passed', [], {}, { kind: 'unknown' }]]);
  });

  it('break a response off, which fails that interaction, and the others go on', async () => {
    const contract = contractOf([pushes('a push', push, replies(200)), pushes('another', push, replies(200))], ppf);
    const { verdicts } = await verifying(contract, { scenario: `${folder.path}/gone.yaml` });
    expect(verdicts.map(({ outcome, classification }) => [outcome, classification.kind])).to.deep.equal([
      ['failed', 'unknown'],
      ['failed', 'unknown'],
    ]);
    for (const { problem } of verdicts) expect(problem).to.match(/^The target broke off the connection: .+\.$/);
  });
});
