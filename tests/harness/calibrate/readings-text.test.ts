// A calibration as a file for `serve --readings`, whatever the server responded.
import { expect } from 'chai';
import type { Calibration } from '../../../harness/calibrate/calibrate.js';
import { readingsText } from '../../../harness/calibrate/calibrate-report.js';
import { findingFrom, type Observation, type Yield } from '../../../harness/calibrate/finding.js';

const nothing: Yield = {
  gap: 'unknown-user',
  readings: ['404', '400', 'skip'],
  observations: [],
  wanted: [],
  obstacles: [],
};
const asked: Observation = {
  say: 'Someone joins',
  asked: 'POST /x',
  status: 404,
  fits: ['404'],
  fitsLoosely: ['404'],
  response: '404 ',
  isRead: false,
};
const known = findingFrom({ ...nothing, observations: [asked] });
const literal = findingFrom({
  ...nothing,
  gap: 'context-path',
  readings: ['any', 'none', '/wiki'],
  observations: [{ ...asked, fits: ['/wiki'] }],
});
const open = findingFrom({
  ...nothing,
  gap: 'no-change',
  readings: ['ok', '409'],
  failure: 'it says "\n\u001b[31mno-change: ok"',
});
const calibration: Calibration = {
  findings: [known, literal, open],
  readings: { 'unknown-user': '404', 'context-path': '/wiki' },
};
const occasion = { target: 'http://server.test/wiki', version: '1.2.3', at: '2026-01-05T09:00:00.000Z' };

describe('the readings as text', () => {
  it('names the server, the version and the time, and each gap on a line', () => {
    expect(readingsText(calibration, occasion)).to.equal(
      [
        '# The readings of http://server.test/wiki: found for 2 of 3 gaps.',
        '# Found by cwx-fake 1.2.3 calibrate, 2026-01-05T09:00:00.000Z. For cwx-fake serve --readings. Unknown gaps follow the profile.',
        '# The nearest profile has 1 of these 2 readings, but not context-path.',
        'profile: lenient',
        'unknown-user: 404',
        'context-path: /wiki',
        '# no-change: undetermined, it says "\\n\\u{1b}[31mno-change: ok"',
        '',
      ].join('\n'),
    );
  });
});
