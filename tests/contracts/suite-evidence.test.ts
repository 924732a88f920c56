// What counts as evidence: a step that passed, whose response was really decided by the rule or reading, without a fault.
import { join } from 'node:path';
import { expect } from 'chai';
import { suiteEvidence } from '../../contracts/suite-evidence.js';
import { type Folders, packageRoot } from '../../server/scenario/files/folders.js';
import { scratch } from '../support/files/scratch.js';

const shipped = join(packageRoot(), 'fixtures');

async function evidenceOf(files: Readonly<Record<string, string>>) {
  const folder = scratch(files);
  const folders: Folders = { fixtures: [shipped], scenarios: [folder.path] };
  try {
    return await suiteEvidence(folders);
  } finally {
    folder.drop();
  }
}

const scenario = (...steps: readonly string[]) =>
  `title: A story\nfixture: small-team\nsteps:\n${steps.map(step => `  - { ${step} }\n`).join('')}`;
const adding = (more: string) =>
  `say: Alice joins, as: admin, call: groups.add-users, body: { group: customers, users: [alice] }, ${more}`;

describe('the evidence of scenarios', () => {
  it('is each scenario in which a step passed that proves a rule, and whose response names it', async () => {
    const seen = await evidenceOf({
      'holds.yaml': scenario(adding('expect: { status: 2XX }, proves: [groups.add-users]')),
      'fails.yaml': scenario(adding('expect: { status: 400 }, proves: [groups.add-users]')),
      'claims-nothing.yaml': scenario(adding('expect: { status: 2XX }')),
      'claims-another.yaml': scenario(adding('expect: { status: 2XX }, proves: [groups.set-users]')),
    });
    expect(seen['groups.add-users']).to.deep.equal(['holds']);
    expect(seen).to.not.have.property('groups.set-users');
    expect(seen).to.not.have.property('groups.body');
    expect(seen['wiki-success=object']).to.deep.equal(['claims-nothing', 'holds']);
  });

  it('belongs to a rule only by its own response, not by a later effect', async () => {
    const looking =
      'say: She cannot leave a group twice, as: admin, call: groups.remove-users, body: { group: customers, users: [carol] }, readings: { no-change: 409 }, expect: { status: 409 }, proves: [groups.add-users]';
    const seen = await evidenceOf({
      'first.yaml': scenario(adding('proves: [groups.add-users]'), looking),
      'only-looks.yaml': scenario(adding('expect: { status: 2XX }'), looking),
    });
    expect(seen['groups.add-users']).to.deep.equal(['first']);
    expect(seen['no-change=409']).to.deep.equal(['first']);
  });

  it('belongs to a gap by its probes, under each of its readings, before others', async () => {
    const probe = `${scenario(
      'say: Nobody is added, as: admin, call: groups.add-users, body: { group: customers, users: [nobody] }, for: { "404": { expect: { status: 404 } }, "400": { expect: { status: 400 } }, "403": { expect: { status: 403 } }, skip: { expect: { status: 409 } }, message: { expect: { status: 200 } }, create: { expect: { status: 200 } } }',
    )}gap: unknown-user\n`;
    const other = scenario(
      'say: Nobody is added, as: admin, call: groups.add-users, body: { group: customers, users: [nobody] }, expect: { status: 404 }',
    );
    const seen = await evidenceOf({ 'gaps/unknown-user.yaml': probe, 'another.yaml': other, 'gaps/a.yaml': other });
    expect(seen['unknown-user=404']).to.deep.equal(['gaps/unknown-user', 'gaps/a', 'another']);
    expect(seen['unknown-user=400']).to.deep.equal(['gaps/unknown-user']);
    expect(seen).to.not.have.property('unknown-user=skip');
  });
});
