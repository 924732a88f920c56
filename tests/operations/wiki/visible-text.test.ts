// The visible text of a body: its decoded texts, and the body with other texts in their place.
import { expect } from 'chai';
import { Meter } from '../../../server/domain/search.js';
import { plainText, visibleText } from '../../../server/operations/wiki/visible-text.js';

const cases: Readonly<Record<string, readonly [body: string, texts: readonly string[]]>> = {
  'text without a tag': ['Hello', ['Hello']],
  nothing: ['', ['']],
  'text between tags': ['<p>Hello, <b>wiki</b>.</p>', ['', 'Hello, ', 'wiki', '.', '']],
  entities: ['&lt;&gt;&amp;&quot;&apos;&nbsp;&#65;&#x42;', ['<>&"\'\u00a0AB']],
  'what is no entity': ['&amp;lt; & &no; &#xD800; &#9999999; &#;', ['&lt; & &no; &#xD800; &#9999999; &#;']],
  'a < that begins no tag': ['1 < 2 <b>and</b> <', ['1 < 2 ', 'and', ' <']],
  'comments and sections': ['a<!-- > b -->c<![CDATA[ > d ]]>e', ['a', 'c', 'e']],
  'a comment that does not end': ['a<!-- b > c', ['a', '']],
  'a tag that does not end': ['a<b c', ['a', '']],
};

describe('the visible text of a body', () => {
  for (const [what, [body, texts]] of Object.entries(cases)) {
    it(`is read from ${what}, and nothing is lost`, () => {
      const parts = visibleText(body, new Meter());
      expect(parts?.texts).to.deep.equal(texts);
      expect(parts?.joined(texts)).to.equal(body);
    });
  }

  it('is encoded if it has changed, and stays as written elsewhere', () => {
    const parts = visibleText('<p>&quot;a&quot;</p>&quot;b&quot;', new Meter());
    expect(parts?.joined(['', '"<&>"', '"b"'])).to.equal('<p>"&lt;&amp;&gt;"</p>&quot;b&quot;');
  });

  it('is not read from a body with more tags than the limit of a request', () => {
    const meter = new Meter(16_000);
    expect(visibleText('<b>'.repeat(1000), meter)?.texts).to.have.length(1001);
    expect(visibleText('<b>', meter)).to.equal(undefined);
  });

  it('is the text itself if the body is plain text', () => {
    const parts = plainText('<p>&lt;</p>');
    expect([parts.texts, parts.joined(['<b>'])]).to.deep.equal([['<p>&lt;</p>'], '<b>']);
  });
});
