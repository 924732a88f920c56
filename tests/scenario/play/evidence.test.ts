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
    expect(lines).to.include('unchecked then and proves: this target does not show its world and rules');
    expect(lines.join('\n')).to.include('-u admin ').and.not.include('admin:admin');
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
  const nobody = { as: 'anonymous' };
  const hinted: Readonly<Record<string, { step: Partial<Step>; response: ApiResponse }>> = {
    'omit `body`': { step: { expect: { body: {} } }, response: { status: 204 } },
    'differ only in their type': { step: { expect: { body: { id: '7' } } }, response: { text: '{"id":7}' } },
    '{ $contains: { … } }': { step: { expect: { body: { a: 1 } } }, response: { text: '{"a":1,"b":2}' } },
    '{ $contains: […] }': { step: { expect: { body: [1] } }, response: { text: '[1,2]' } },
    'is `as: admin` missing?': {
      step: { ...nobody, expect: { status: 200, body: {} } },
      response: { status: 403, text: '{"a":1}' },
    },
  };
  it('names the probable cause, if there is one', async () => {
    for (const [says, { step, response }] of Object.entries(hinted)) {
      const [hint, ...others] = await hints(step, response);
      expect(hint).to.contain(says);
      expect(others).to.deep.equal([]);
    }
    expect(await hints({ expect: { status: 200 } }, { status: 403 })).to.deep.equal([]);
    const asExpected = { ...nobody, expect: { status: 403, headers: { A: 'b' } } };
    expect(await hints(asExpected, { status: 403 })).to.deep.equal([]);
  });
});
