// The ledger lists everything once, with its operations and its evidence.
import { expect } from 'chai';
import { ledger, showLedger, withoutEvidence } from '../../../server/derive/ledger/ledger.js';
import { ledgerMarkdown } from '../../../server/derive/ledger/ledger-markdown.js';
import { operations, rules } from '../../../server/operations/catalog/catalog.js';
import { gapIds, readingNames } from '../../../server/operations/gaps/gaps.js';

describe('the ledger', () => {
  const { rules: ruled, gaps, refusals } = ledger();
  const rule = (id: string) => ruled.find(entry => entry.id === id);
  const gap = (id: string) => gaps.find(entry => entry.id === id);
  const refusal = (code: string) => refusals.find(entry => entry.code === code);

  it('lists every rule, every gap and every reading once', () => {
    expect(ruled.map(({ id }) => id)).to.deep.equal(Object.keys(rules));
    expect(gaps.map(({ id }) => id)).to.deep.equal(gapIds);
    for (const { id, readings } of gaps) expect(readings.map(({ name }) => name)).to.deep.equal(readingNames(id));
  });

  it('names the operations that each rule and gap concerns', () => {
    expect(rule('groups.add-users')?.operations).to.deep.equal(['groups.add-users']);
    expect(rule('ppf.admin-only')?.operations).to.deep.equal(['ppf.push', 'ppf.pull']);
    expect(rule('address.case-sensitive')?.operations).to.have.length(operations.length);
    expect(gap('view-post')?.askedBy).to.deep.equal(['permissions.view-add', 'permissions.view-remove']);
    expect(gap('bad-credentials')?.askedBy).to.have.length(operations.length);
    for (const { id, operations: ids } of ruled) expect(ids, id).to.not.deep.equal([]);
    for (const { id, askedBy } of gaps) expect(askedBy, id).to.not.deep.equal([]);
  });

  it('names the basis and the origin of a refusal', () => {
    expect(refusal('ppf-no-recipient')).to.deep.include({
      status: 400,
      rules: ['ppf.needs-recipient', 'ppf.invalid-is-400'],
      steps: ['recipients'],
      operations: ['ppf.push', 'ppf.pull'],
    });
    expect(refusal('unknown-user')).to.deep.include({ status: 'as-read', gap: 'unknown-user', steps: ['decision'] });
    expect(refusal('bad-address')).to.deep.include({ steps: ['address'], operations: [] });
  });

  it('shows evidence only if it is known', () => {
    expect(ruled.some(entry => 'evidence' in entry)).to.equal(false);
    const proved = ledger(
      JSON.parse('{"__proto__":{"ppf.pull":["x"]},"ppf.push":["push-to-a-group"],"unknown-user=skip":["a-probe"]}'),
    );
    expect(proved.rules.find(({ id }) => id === 'ppf.push')?.evidence).to.deep.equal(['push-to-a-group']);
    expect(proved.rules.find(({ id }) => id === 'ppf.pull')?.evidence).to.deep.equal([]);
    const missing = withoutEvidence(proved);
    expect(missing.rules).to.include('ppf.pull').and.not.include('ppf.push');
    expect(missing.readings).to.include('unknown-user=400').and.not.include('unknown-user=skip');
  });
});

describe('the ledger as text', () => {
  it('lists every rule, gap, reading and refusal, in the terminal and in tables of even rows', () => {
    const [shown, page] = [showLedger(ledger()), ledgerMarkdown(ledger())];
    for (const name of everyName()) {
      expect(shown).to.include(name);
      expect(page).to.include(`\`${name}\``);
    }
    expect(shown).to.match(/\* 404: the request is refused with 404/);
    const rows = page.split('\n').filter(line => line.startsWith('|'));
    const widths = rows.map(line => line.replaceAll('\\|', '').split('|').length - 2);
    expect(new Set(widths)).to.deep.equal(new Set([4, 5]));
  });

  it('marks what has no evidence, if any is known', () => {
    expect(showLedger(ledger())).to.not.match(/evidence/i);
    const [proved, missing = ''] = showLedger(ledger({ 'ppf.push': ['push-to-a-group'] })).split('No evidence (');
    expect(proved).to.include('evidence: push-to-a-group');
    expect(missing).to.include('ppf.pull').and.include('unknown-user=400').and.not.include('  ppf.push\n');
  });

  it('names the first three pieces of evidence, and the number of the others', () => {
    const evidence = { 'ppf.push': ['w1', 'w2', 'w3', 'w4', 'w5'], 'ppf.pull': ['v1', 'v2', 'v3'] };
    for (const shown of [showLedger(ledger(evidence)), ledgerMarkdown(ledger(evidence))]) {
      expect(shown).to.include('w1, w2, w3 and 2 more').and.include('v1, v2, v3').and.not.include('v3 and');
    }
  });
});

function everyName(): string[] {
  const { rules: ruled, gaps, refusals } = ledger();
  return [
    ...ruled.map(({ id }) => id),
    ...gaps.flatMap(({ id, readings }) => [id, ...readings.map(({ name }) => name)]),
    ...refusals.map(({ code }) => code),
  ];
}
