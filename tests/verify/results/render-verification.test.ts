// What a terminal shows of a run: short where all is well, and where it is not, whatever a stranger needs to mend it.
import { expect } from 'chai';
import { rules } from '../../../server/operations/catalog.js';
import { painter } from '../../../server/report/paint.js';
import { checkLines } from '../../../server/report/render-checks.js';
import { contractLines, exercisedText, gapLines } from '../../../server/verify/results/render-verification.js';
import { byContract, totalsOf } from '../../../server/verify/results/totals.js';
import { checkOf } from '../../../server/verify/results/verify-report.js';
import type { Verdict } from '../../../server/verify/verdict.js';
import { contractOf, failing, forbidden, pending, resting, untried, verdictOf } from '../hand-made.js';

const plain = painter(false);
const shown = (verdict: Verdict, isStrict = false) => checkLines(checkOf(verdict, isStrict), plain);
const one = Object.keys(rules).length;

describe('what is shown of an interaction', () => {
  it('is one line where the document promises what it expects', () => {
    expect(shown(verdictOf())).to.deep.equal(['✔ adds a member · documented']);
    expect(shown(verdictOf(), true)).to.have.length(1);
  });

  it('says on which guess it rests, and what would break it', () => {
    expect(shown(resting)).to.deep.equal([
      '! reads the answer · rests on wiki-success=object',
      '    guess     it would fail under wiki-success=empty: The body at $: expected an object, and there is none.',
      '    guess     it would fail under wiki-success=no-content: The body at $: expected an object, and there is none.',
    ]);
  });

  it('says what of the contract is the guess where that counts, and leaves out what else is not in the document', () => {
    const finding = { part: 'reply', pointer: '', expected: 'no body there', found: 'an object' } as const;
    const findings = [
      { ...finding, gap: 'wiki-success' as const },
      { ...finding, found: 'something that is no matter here', gap: 'content-type' as const },
    ];
    const documents = (verdict: Verdict, isStrict: boolean) =>
      shown(verdict, isStrict).filter(text => text.startsWith('    document'));
    expect(documents({ ...resting, findings }, false)).to.deep.equal([]);
    const [document, ...more] = documents({ ...resting, findings }, true);
    expect(document).to.match(
      /^ {4}document {2}In the body of the answer the contract has an object, and the document has no body there: .*wiki-success/,
    );
    expect(more).to.deep.equal([]);
    expect(shown(verdictOf({ findings }))).to.have.length(1);
  });

  it('tells a guess whole where --strict does not let it pass', () => {
    const [line, ...details] = shown(resting, true);
    expect(line).to.equal('✘ reads the answer · passed, but rests on wiki-success=object');
    expect(details.map(text => text.trim().split(' ')[0])).to.deep.equal(['asked', 'decided', 'guess', 'guess', 'at']);
  });

  it('says of a guess that matters only beside another one that it does', () => {
    const alone = [{ gap: 'wiki-success', reading: 'empty', holds: true }] as const;
    const verdict = verdictOf({
      classification: { kind: 'rests', on: [{ gap: 'wiki-success', reading: 'object', trials: alone }] },
    });
    expect(shown(verdict)[1]).to.equal('    guess     no other single reading changes the outcome');
  });

  it('tells of a failure what was asked, answered, expected, what decided, what would mend it, and where it stands', () => {
    expect(shown(failing)).to.deep.equal([
      '✘ leaves the users out (given: group exists {"name":"customers"}) · rests on missing-field=400',
      '    asked     POST /rest/cwxapiextension/latest/groups/add-users with {"group":"customers"}',
      '    answered  404 {"statusCode":404}',
      '    differs   The status: expected 200 but was 404.',
      '    differs   The body at $: expected an object, and there is none.',
      '    decided   groups.body, missing-field=400',
      '    guess     it would pass under missing-field=empty',
      '    at        pacts/web.json:48',
    ]);
  });

  it('never shows credentials', () => {
    expect(shown(failing).join('\n')).not.to.match(/Basic|c2VjcmV0|session=/);
  });

  it('says what the document has, also where Pact is content', () => {
    const [line, asked, document, decided, at] = shown(forbidden);
    expect(line).to.equal('✘ copies a space with a body · passed, but contradicts spaces.copy-query-only');
    expect(asked).to.match(/^ {4}asked {5}POST .*\/spaces\/copySpace, by the contract$/);
    expect(document).to.match(/^ {4}document {2}.*everything is in the query.*spaces\.copy-query-only/);
    expect([decided, at]).to.deep.equal(['    decided   spaces.copy', '    at        pacts/web.json:60']);
  });

  it('says what a rule says that no finding has told, and each sentence once', () => {
    const says = 'It expects 500, and no reading gives that.';
    const verdict = verdictOf({
      outcome: 'failed',
      classification: { kind: 'contradicts', rules: ['ppf.admin-only'], says: [says, says] },
    });
    const document = shown(verdict).filter(text => text.includes('document  '));
    expect(document).to.deep.equal([
      `    document  ${says}`,
      `    document  ppf.admin-only: ${rules['ppf.admin-only']?.says}`,
    ]);
  });

  it('says that it goes against the document where there is no rule to name', () => {
    const verdict = verdictOf({ classification: { kind: 'contradicts', rules: [], says: ['It knows no such path.'] } });
    expect(shown(verdict)[0]).to.match(/ contradicts the document$/);
    expect(shown(verdict)[2]).to.equal('    document  It knows no such path.');
  });

  it('says why it could not be tried', () => {
    expect(shown(untried)).to.deep.equal([
      '✘ asks without a licence (given: unlicenced) · There is no state "unlicenced" (did you mean "unlicensed"?).',
      '    asked     POST /rest/cwxapiextension/latest/groups/add-users, by the contract',
      '    at        pacts/web.json:70',
    ]);
  });

  it('says that what is pending does not count', () => {
    expect(shown(pending)[0]).to.match(/^– asks without a licence .* · Pending, so it does not count yet: There is no/);
    expect(shown(pending, true)[0]).to.equal(shown(pending)[0]);
    expect(shown(verdictOf({ isPending: true }))).to.deep.equal(['✔ adds a member · documented']);
  });

  it('cuts what is long, and shows on one line what would steer a terminal', () => {
    const text = `\u001b[31m${'x'.repeat(1000)}`;
    const exchange = {
      request: { method: 'POST', path: '/a', headers: {} },
      answer: { status: 200, headers: {}, text },
    };
    const lines = shown(verdictOf({ outcome: 'failed', exchange }, { description: 'a\nb\u001b[2J' }));
    expect(lines[0]).to.include('a\\nb\\u{1b}[2J');
    expect(lines[1]).to.equal('    asked     POST /a');
    expect(lines[2])
      .to.match(/^ {4}answered {2}200 \\u\{1b\}\[31mx+…$/)
      .and.to.have.length.below(340);
  });

  it('says that an answer had no body', () => {
    const exchange = {
      request: { method: 'PUT', path: '/a', headers: {}, body: '' },
      answer: { status: 204, headers: {}, text: '' },
    };
    expect(shown(verdictOf({ outcome: 'failed', exchange })).slice(1, 3)).to.deep.equal([
      '    asked     PUT /a',
      '    answered  204 without a body',
    ]);
  });
});

describe('what is shown of a contract', () => {
  it('has a heading, and tells what a broker says', () => {
    const contract = contractOf({
      source: 'https://broker.example.com/pacts/1',
      broker: { isPending: true, notices: ['It is the latest of main.'] },
    });
    const lines = contractLines({ contract, verdicts: [{ ...failing, contract }] }, false, plain);
    expect(lines.slice(0, 3)).to.deep.equal([
      'web → wiki-extension  https://broker.example.com/pacts/1',
      '  Pending at the broker: failures do not count yet.',
      '  It is the latest of main.',
    ]);
    expect(lines.at(-2)).to.equal('    at        https://broker.example.com/pacts/1');
    expect(lines.at(-1)).to.equal('');
  });

  it('keeps contracts apart', () => {
    const other = contractOf({ provider: 'push-pull', source: 'b.json' });
    const groups = byContract([verdictOf(), verdictOf({ contract: other }), resting]);
    expect(groups.map(({ contract, verdicts }) => [contract.source, verdicts.length])).to.deep.equal([
      ['pacts/web.json', 2],
      ['b.json', 1],
    ]);
  });
});

describe('the end of what is shown', () => {
  const all = [verdictOf(), resting, failing, forbidden, untried, pending];

  it('counts', () => {
    expect(totalsOf(all, false)).to.deep.equal({
      interactions: 6,
      passed: 3,
      failed: 2,
      unverified: 1,
      documented: 1,
      rests: 2,
      contradicts: 1,
      pending: 1,
      counting: 3,
      exercised: ['groups.add-users', 'spaces.copy'],
    });
    expect(totalsOf(all, true).counting).to.equal(4);
    expect(totalsOf([], false)).to.include({ interactions: 0, passed: 0, counting: 0 });
  });

  it('says which rules were exercised', () => {
    expect(exercisedText(totalsOf(all, false).exercised)).to.equal(
      `The passed interactions exercise 2 of the ${one} rules of the document: groups.add-users, spaces.copy.`,
    );
    expect(exercisedText([])).to.equal(`The passed interactions exercise 0 of the ${one} rules of the document.`);
  });

  it('explains what a guess is, with the question and every reading, where something rests on one', () => {
    const lines = gapLines(all, plain);
    expect(lines[0]).to.match(/^A gap is a question that the document leaves open/);
    expect(lines.slice(1, 6)).to.deep.equal([
      '  wiki-success: What does a wiki operation answer when it has done its work?',
      '    object: 200 with the body {} (used here)',
      '    empty: 200 without a body',
      '    no-content: 204',
      '    messages: 200 with {"success":true,"messages":[]}',
    ]);
    expect(lines.join('\n'))
      .to.include('cwx-fake calibrate --target <url>')
      .and.to.include('400: no: refused with 400 (used here)');
    expect(gapLines([verdictOf(), forbidden], plain)).to.deep.equal([]);
  });
});
