// The visible text of a body: its decoded texts, and the body with other texts in their place.
import { expect } from 'chai';
import { Meter } from '../../../server/domain/search.js';
import {
  prepareReplacements,
  replaceSequentially,
  replaceSimultaneously,
} from '../../../server/operations/wiki/replace.js';
import { plainText, unmarked, visibleText } from '../../../server/operations/wiki/visible-text.js';

const cases: Readonly<Record<string, readonly [body: string, texts: readonly string[]]>> = {
  'text without a tag': ['Hello', ['Hello']],
  nothing: ['', []],
  'text between tags': ['<p>Hello, <b>wiki</b>.</p>', ['Hello, ', 'wiki', '.']],
  'named references': ['&lt;&gt;&amp;&quot;&apos;&nbsp;&uuml;&hellip;', ['<>&"\'\u00a0ü…']],
  'numeric references': ['&#65;&#x42;&#x1F600;', ['AB😀']],
  'a reference for two characters': ['a&NotEqualTilde;b', ['a≂̸b']],
  'a reference without a semicolon': ['&amp &copy2', ['& ©2']],
  'what is no reference': ['&amp;lt; & &no; &#;', ['&lt; & &no; &#;']],
  'a reference that no character has': ['&#0;&#xD800;', ['��']],
  'a < that begins no tag': ['1 < 2 <b>and</b> <', ['1 < 2 ', 'and', ' <']],
  'a > in an attribute': ['<p a=">x" b=\'>y\'>z</p>', ['z']],
  'a tag in an attribute': ['<p a="<b>x</b>">z</p>', ['z']],
  'comments and sections': ['a<!-- > b -->c<![CDATA[ > d ]] > <b> ]]>e', ['a', 'c', 'e']],
  'an invalid comment': ['a<!->b<?x>c', ['a', 'b', 'c']],
  'a macro': ['<ac:plain-text-body><![CDATA[if (a > b) "x"]]></ac:plain-text-body>z', ['z']],
  'a comment that does not end': ['a<!-- b > c', ['a']],
  'a tag that does not end': ['a<b c', ['a']],
  'an attribute that does not end': ['a<b c="d>e</b>f', ['a']],
  'a script': ['<script>if (a < b) "</b>"</script>z', ['if (a < b) "</b>"', 'z']],
};

describe('the visible text of a body', () => {
  it('is read, and nothing is lost', () => {
    for (const [what, [body, texts]] of Object.entries(cases)) {
      const parts = visibleText(body, new Meter());
      expect(
        parts?.texts.map(({ text }) => text),
        what,
      ).to.deep.equal(texts);
      expect(parts?.joined(parts.texts)).to.equal(body);
      expect(parts?.joined(parts.texts.map(({ text, marks }) => ({ text, marks })))).to.equal(body);
    }
  });

  it('is encoded if it has changed, and stays as written elsewhere', () => {
    const parts = visibleText('<p>&quot;a&quot;</p>&quot;b&quot;', new Meter());
    expect(parts?.joined([unmarked('"<&>"'), ...(parts?.texts.slice(1) ?? [])])).to.equal(
      '<p>"&lt;&amp;&gt;"</p>&quot;b&quot;',
    );
  });

  const replacing: ReadonlyArray<readonly [body: string, oldText: string, newText: string, result: string]> = [
    ['<p>Gr&uuml;n Hello</p>', 'Hello', 'Bye', '<p>Gr&uuml;n Bye</p>'],
    ['<p>Gr&uuml;n Hello</p>', 'Grün', 'Blau & Rot', '<p>Blau &amp; Rot Hello</p>'],
    ['a&nbsp;b&#65;c&apos;d > & x', 'b', '<', 'a&nbsp;&lt;&#65;c&apos;d > & x'],
    ['<p a=">Hello">Hello</p>', 'Hello', 'Bye', '<p a=">Hello">Bye</p>'],
    ['&amp;a&amp;a&amp;', 'a', '&', '&amp;&amp;&amp;&amp;&amp;'],
    ['x&NotEqualTilde;y', '\u0338', '!', 'x≂!y'],
    ['a &lt;b&gt; c', '<b>', 'd', 'a d c'],
  ];
  it('keeps what is not replaced byte for byte', () => {
    for (const [body, oldText, newText, result] of replacing)
      for (const replace of [replaceSequentially, replaceSimultaneously]) {
        const parts = visibleText(body, new Meter());
        const replaced = replace(parts?.texts ?? [], prepareReplacements([{ oldText, newText }]), 'all');
        expect(parts?.joined(replaced?.texts ?? []), body).to.equal(result);
      }
  });

  it('is not read from a body with more tags than the limit of a request', () => {
    const meter = new Meter(16_000);
    expect(visibleText('<b>a'.repeat(1000), meter)?.texts).to.have.length(1000);
    expect(visibleText('<b>', meter)).to.equal(undefined);
  });

  it('is the text itself if the body is plain text', () => {
    const parts = plainText('<p>&lt;</p>');
    expect(parts.texts[0]?.text).to.equal('<p>&lt;</p>');
    expect(parts.joined([unmarked('<b>')])).to.equal('<b>');
  });
});
