// The summary of a job: exact for small runs; no text of a check becomes Markdown or HTML; and the size is limited.
import { expect } from 'chai';
import { inline, markdown } from '../../../harness/report/markdown.js';
import { check, empty, guessing, hostile, runOf, small } from './runs.js';

describe('a report as Markdown', () => {
  it('is exact for a small run', () => {
    expect(markdown(small)).to.equal(`## Play

**4 checks**: 2 passed, 1 failed, 1 skipped, in 1.2 s.

- target: http://127.0.0.1:8080
- readings: view-post=set

| Suite | Passed | Warnings | Failed | Skipped | Time |
| --- | --- | --- | --- | --- | --- |
| team | 2 | 0 | 1 | 0 | 1.2 s |
| pages | 0 | 0 | 0 | 1 | 0 ms |

### Failed

#### team › removes

In scenarios/team.yaml:12.

\`\`\`text
the status is 404, not 200

expected: 200
found: 404
\`\`\`

<details>
<summary>1 skipped</summary>

- pages › waits: the target tells no facts

</details>
`);
  });

  it('has the guesses, and further parts, after the failures', () => {
    const [, text = ''] = markdown(guessing).split('#### team › fails\n');
    expect(text).to.equal(`
### Rests on a guess

- team › adds: a=b is read as c (pacts/web.json:7)

### Under other readings

It breaks &#124; once.

| Gap | Reading |
| --- | --- |
| a | b&#124;c |

### Nothing

It holds.
`);
  });

  it('is exact for an empty run', () => {
    expect(markdown(empty)).to.equal('## Play\n\n**No checks** in 0 ms.\n');
  });

  it('shows labels, and needs neither a message nor a place', () => {
    expect(markdown(runOf([check({ verdict: 'failed', labels: ['a', 'b_c'] })]))).to.match(
      /\n### Failed\n\n#### team › adds\n\nLabels: a, b\\_c\.\n$/,
    );
    expect(markdown(runOf([check({ verdict: 'failed', file: 'a.yaml', labels: ['a'] })]))).to.match(
      /\n#### team › adds\n\nIn a\.yaml\. Labels: a\.\n$/,
    );
    expect(markdown(runOf([check({ verdict: 'failed' })]))).to.match(/\n#### team › adds\n$/);
    expect(markdown(runOf([check({ verdict: 'undetermined' })]))).to.include('\n- team › adds\n');
  });

  it('escapes what Markdown or HTML would read as its own', () => {
    for (const [text, expected] of [
      ['plain text, 1.5 s', 'plain text, 1.5 s'],
      ['a|b', 'a&#124;b'],
      ['a\\|b', 'a\\\\&#124;b'],
      ['&#124;', '&amp;\\#124;'],
      ['<script>&amp;', '&lt;script&gt;&amp;amp;'],
      ['`x` *y* _z_ ~w~ $v$', '\\`x\\` \\*y\\* \\_z\\_ \\~w\\~ \\$v\\$'],
      ['![a](b) #1', '!\\[a\\](b) \\#1'],
      ['  a\r\n\tb  ', 'a b'],
      ['- a', '\\- a'],
      ['1. a', '1\\. a'],
      ['--- | ---', '\\--- &#124; ---'],
      ['x'.repeat(400), `${'x'.repeat(299)}…`],
    ] as const)
      expect(inline(text), text).to.equal(expected);
  });

  it('lets no hostile text out of its cell, line or block', () => {
    const text = markdown(hostile);
    const name =
      ']]&gt; &lt;script&gt;alert("&amp;amp;\'")&lt;/script&gt; &#124; \\`x\\` red next \ufffd \ufffd \ufffd 😀'.replaceAll(
        ']',
        '\\]',
      );
    expect(text.split('\n')[0]).to.equal(`## ${name}`);
    expect(text).to.include(`\n- ${name}: ${name}\n`);
    expect(text).to.include(`\n| ${name} | 0 | 0 | 1 | 1 | 10 ms |\n`);
    expect(text).to.include(`\n#### ${name} › ${name}\n\nIn ${name}:3. Labels: ${name}.\n`);
    const outside = text.replace(/\n(`{3,})text\n[\s\S]*?\n\1\n/g, '\n');
    expect(outside).to.not.include('<script>');
    expect(outside.match(/<\/?\w+>/g)).to.deep.equal(['<details>', '<summary>', '</summary>', '</details>']);
  });

  it('fences evidence with more backticks than there are in it', () => {
    const fenced = (details: string) =>
      markdown(runOf([check({ verdict: 'failed', details })]))
        .split('\n')
        .slice(-4);
    expect(fenced('a')).to.deep.equal(['```text', 'a', '```', '']);
    expect(fenced('````')).to.deep.equal(['`````text', '````', '`````', '']);
    expect(fenced('a\r\n')).to.deep.equal(['```text', 'a', '```', '']);
  });

  it('stays below the limit of GitHub, and reports how much it leaves out', () => {
    const failed = Array.from({ length: 300 }, (_, i) =>
      check({ suite: `${i} ${'é'.repeat(1000)}`, verdict: 'failed', details: 'x'.repeat(30_000) }),
    );
    const skipped = failed.map(one => ({ ...one, verdict: 'undetermined' as const, message: 'y'.repeat(30_000) }));
    const warned = failed.map(one => ({ ...one, verdict: 'passed' as const, warning: 'z'.repeat(400) }));
    const rows = failed.map(({ suite }) => ['gap', suite]);
    const parts = ['a', 'b'].map(title => ({ title, says: [], heads: ['Gap', 'Reading'], rows }));
    const text = markdown(runOf([...failed, ...skipped, ...warned], { parts }));
    expect(Buffer.byteLength(text)).to.be.within(300_000, 2 ** 19);
    const [shown = []] = [text.match(/^#### /gm) ?? []];
    expect(text).to.include(`\n\nAnd ${300 - shown.length} more failed checks.\n`);
    expect(text)
      .to.match(/\n\nAnd \d+ more checks\.\n/)
      .and.to.match(/\n\nAnd \d+ more rows\.\n[\s\S]*\n\nAnd \d+ more rows\.\n/)
      .and.to.match(/\n\nAnd \d+ more skipped checks\.\n\n<\/details>\n$/)
      .and.to.match(/\n\nAnd \d+ more suites\.\n/);
    expect(text).to.include(`\n${'x'.repeat(19_999)}…\n`);
  });
});
