// The evidence of a step, to the letter, and the hints at the probable cause.
import { expect } from 'chai';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { type Circumstances, evidenceOf, evidenceText } from '../../../server/scenario/play/evidence.js';
import { type ApiResponse, playedOn, Recorder } from '../../support/scenarios/played.js';

const here: Circumstances = { file: 'scenarios/story.yaml', url: 'http://127.0.0.1:8080', secrets: 'shown' };

async function evidence(
  step: Step,
  response: ApiResponse,
  circumstances = here,
  records?: Readonly<Record<string, unknown>>,
) {
  const [played] = await playedOn(new Recorder([response], '', records), [step]);
  if (played === undefined) throw new Error('nothing played');
  return evidenceText(evidenceOf(played, circumstances));
}

const pushing: Step = {
  say: 'Push',
  as: 'admin',
  call: 'ppf.push',
  body: { users: ['alice'], filters: [10500] },
  expect: { status: 403, headers: { 'X-Other': 'yes' } },
  // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
  then: { groups: { customers: ['alice'] } },
  proves: ['ppf.licensed-only'],
};

describe('the evidence of a step', () => {
  it('reports what a target does not show, and masks secrets unless asked not to', async () => {
    const lines = await evidence(pushing, { status: 403 }, { file: 'a.yaml', url: 'http://far.example' });
    expect(lines).to.include.members([
      'unchecked then and proves: this target does not show its world and rules',
      '            -u admin \\',
    ]);
    expect(lines.join('\n')).to.not.include('admin:admin');
  });

  it('lists five differences and counts the others', async () => {
    const body = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(key => [key, 1]));
    const lines = await evidence({ say: 'Ask', call: 'ppf.push', expect: { body } }, { text: '{}' });
    expect(lines.filter(line => line.includes('is missing'))).to.have.length(5);
    expect(lines).to.include('          and 2 more');
  });

  it('shortens a long response, and escapes its control characters', async () => {
    const lines = await evidence({ say: 'Ask', call: 'ppf.push' }, { text: `\u001b[2J${'x'.repeat(3000)}` });
    const [, line = ''] = lines.slice(lines.indexOf('response  200 OK'));
    expect(line.trim()).to.equal(`\\u{1b}[2J${'x'.repeat(1996)}… (3004 characters)`);
  });

  it('is only the place if nothing was requested', async () => {
    expect(await evidence({ say: 'Once upon a time' }, {})).to.deep.equal(['at        scenarios/story.yaml:10']);
  });
});

describe('the hint of a step', () => {
  const hints = async (step: Partial<Step>, response: ApiResponse) => {
    const lines = await evidence({ say: 'Ask', as: 'admin', call: 'ppf.push', ...step }, response);
    return lines.filter(line => line.startsWith('hint')).map(line => line.slice(10));
  };
  const push: Partial<Step> = { as: 'anonymous' };

  for (const [about, step, response, hint] of [
    [
      'a body where there is none',
      { expect: { body: {} } },
      { status: 204 },
      ['The response has no body: leave `body` out, or write `body: { $absent: true }`.'],
    ],
    [
      'a number in quotes',
      { expect: { body: { id: '7' } } },
      { text: '{"id":7}' },
      ['"7" and 7 differ only in the quotes: one of them is text.'],
    ],
    [
      'a part of a body',
      { expect: { body: { a: 1 } } },
      { text: '{"a":1,"b":2}' },
      ['A body is compared as a whole: use `{ $contains: { … } }` for a part of it.'],
    ],
    [
      'a part of a list',
      { expect: { body: [1] } },
      { text: '[1,2]' },
      ['A list is compared as a whole: use `{ $contains: […] }` for a part of it.'],
    ],
    ['another list', { expect: { body: [3] } }, { text: '[1,2]' }, []],
    [
      'nobody who asks',
      { ...push, expect: { status: 200, body: {} } },
      { status: 403, text: '{"a":1}' },
      ['The caller is anonymous: is `as: admin` missing?'],
    ],
    ['an admin who is refused', { expect: { status: 200 } }, { status: 403 }, []],
    [
      'nobody who is refused as expected',
      { ...push, expect: { status: 403, headers: { A: 'b' } } },
      { status: 403 },
      [],
    ],
  ] as ReadonlyArray<readonly [string, Partial<Step>, ApiResponse, readonly string[]]>) {
    it(`about ${about}: ${hint.length === 0 ? 'none' : hint.join(' ')}`, async () => {
      expect(await hints(step, response)).to.deep.equal(hint);
    });
  }
});
