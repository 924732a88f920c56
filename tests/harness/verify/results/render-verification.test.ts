// The terminal output of a run: short if all is well, and otherwise everything a stranger needs to fix it.
import { expect } from 'chai';
import { checkLines } from '../../../../harness/report/render-checks.js';
import type { Verdict } from '../../../../harness/verify/contract/verdict.js';
import { contractLines, gapLines } from '../../../../harness/verify/results/render-verification.js';
import { checkOfInteraction } from '../../../../harness/verify/results/verify-report.js';
import { painter } from '../../../../server/process/colors.js';
import { contractOf, failing, forbidden, pending, resting, untried, verdictOf } from '../hand-made.js';

const plain = painter(false);
const shown = (verdict: Verdict, isStrict = false) => checkLines(checkOfInteraction(verdict, isStrict), plain);

describe('the output for an interaction', () => {
  it('names the guessed part of the contract if that counts, and leaves out what else the document lacks', () => {
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
      /^ {4}document {2}Body of the response: the contract has an object; the document has no body there\. .*wiki-success/,
    );
    expect(more).to.deep.equal([]);
    expect(shown(verdictOf({ findings }))).to.have.length(1);
  });

  it('shows of a failure the request, the response, the expectation, what decided, a remedy and the place', () => {
    expect(shown(failing)).to.deep.equal([
      '✘ leaves the users out (given: group exists {"name":"customers"}) · rests on missing-field=400',
      '    request   POST /rest/cwxapiextension/latest/groups/add-users with {"group":"customers"}',
      '    response  404 {"statusCode":404}',
      '    differs   Status: expected 200, got 404.',
      '    differs   Body at $: expected an object, and there is none.',
      '    based on  groups.body, missing-field=400',
      '    guess     it would pass under missing-field=empty',
      '    at        pacts/web.json:48',
    ]);
  });

  it('quotes the document, even if Pact is content', () => {
    const [line, asked, document, decided, at] = shown(forbidden);
    expect(line).to.equal('✘ copies a space with a body · passed, but contradicts spaces.copy-query-only');
    expect(asked).to.match(/^ {4}request {3}POST .*\/spaces\/copySpace \(as in the contract\)$/);
    expect(document).to.match(/^ {4}document {2}.*everything is in the query.*spaces\.copy-query-only/);
    expect({ decided, at }).to.deep.equal({
      decided: '    based on  spaces.copy',
      at: '    at        pacts/web.json:60',
    });
  });

  it('shortens long text, and shows control characters on one line', () => {
    const text = `\u001b[31m${'x'.repeat(1000)}`;
    const exchange = {
      request: { method: 'POST', path: '/a', headers: {} },
      response: { status: 200, headers: {}, text },
    };
    const lines = shown(verdictOf({ outcome: 'failed', exchange }, { description: 'a\nb\u001b[2J' }));
    expect(lines[0]).to.include('a\\nb\\u{1b}[2J');
    expect(lines[1]).to.equal('    request   POST /a');
    expect(lines[2])
      .to.match(/^ {4}response {2}200 \\u\{1b\}\[31mx+…$/)
      .and.to.have.length.below(340);
  });
});

describe('the output for a contract', () => {
  it('has a heading, and what the broker says', () => {
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
});

describe('the end of the output', () => {
  const all = [verdictOf(), resting, failing, forbidden, untried, pending];

  it('explains guesses, with the question and every reading, if something rests on one', () => {
    const lines = gapLines(all, plain);
    expect(lines[0]).to.match(/^A gap is a question that the document leaves open/);
    expect(lines.slice(1, 6)).to.deep.equal([
      '  wiki-success: How does a wiki operation respond when it succeeds?',
      '    object: 200 with the body {} (used here)',
      '    empty: 200 without a body',
      '    no-content: 204',
      '    messages: 200 with {"success":true,"messages":[]}',
    ]);
    expect(lines.join('\n'))
      .to.include('cwx-fake calibrate --target <url>')
      .and.to.include('400: a request without it is refused with 400 (used here)');
    expect(gapLines([verdictOf(), forbidden], plain)).to.deep.equal([]);
  });
});
