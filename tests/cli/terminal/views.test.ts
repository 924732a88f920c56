// The exact output of a demo.
import { expect } from 'chai';
import { playStraight } from '../../../cli/terminal/show-play.js';
import { demoView } from '../../../cli/terminal/views.js';
import { widthOf } from '../../../cli/terminal/wrap.js';
import { painter } from '../../../server/process/colors.js';
import type { Circumstances } from '../../../server/scenario/play/evidence.js';
import { showing } from './showing.js';

const about = (): Circumstances => ({ file: 's.yaml', url: 'http://127.0.0.1:8080', secrets: 'shown' });

/** The output of playing scenarios, as a demo of this many columns. */
async function shownOf(scenarios: Readonly<Record<string, string>>, width: number, isBrief = false) {
  const play = await showing(scenarios);
  const lines: string[] = [];
  const print = (more: readonly string[]) => void lines.push(...more);
  const paint = painter(false);
  const stage = demoView(() => ({ width, paint }), about, isBrief);
  await playStraight(
    { ...play, stage, print },
    async () => {},
    () => false,
  );
  print(stage.ends(play.results));
  play.end();
  return lines;
}

const story = `title: A story
about: It is told in a few words.
fixture: small-team
steps:
  - say: Once upon a time
  - say: The admin pushes a filter
    as: admin
    call: ppf.push
    body: { users: [alice], filters: [10500] }
    expect: { status: 200, body: { success: true, messages: [] } }
    then: { favourites: { alice: { filters: [10500] } } }
    proves: [ppf.push]
  - say: A path that is none
    request: { method: GET, path: "/nowhere?with=a&query=x" }
    expect: { status: 404 }
`;

describe('the demo', () => {
  it('shows the narration, the request, the response, the changes, what decided it, and the result', async () => {
    expect(await shownOf({ story }, 72)).to.deep.equal([
      `── A story ${'─'.repeat(61)}`,
      '   It is told in a few words.',
      '',
      '  1 Once upon a time',
      '',
      '  2 The admin pushes a filter',
      '    → POST /rest/cwx-ppf/latest/push  as admin',
      '      {"users": ["alice"], "filters": [10500]}',
      '    ← 200 OK',
      '      {"success": true, "messages": []}',
      '    ◆ alice gets filter 10500 (Open bugs)',
      '    rule ppf.push: The filters and dashboards are pushed to the users',
      '      and to the members of the groups.',
      '    also ppf.body-types, ppf.processed-is-200, ppf.success-flag',
      '    ppf-effect=push-adds: What do push and pull change? Push adds the',
      "      items to the users' favourites, and pull removes them.",
      '    ✔ as expected: the response, the world, 1 rule',
      '',
      '  3 A path that is none',
      '    → GET /nowhere?with=a&query=x  as anonymous',
      '    ← 404 Not Found',
      '      {',
      '        "statusCode": 404,',
      '        "message": "Unknown path \\"/nowhere\\".",',
      '        "reason": "Not Found"',
      '      }',
      '    rule address.extension-path: The paths of the wiki extension begin',
      '      with /cwxapiextension/latest/.',
      '    wiki-error-body=confluence: What does the body of a refused wiki',
      '      operation look like? {"statusCode", "message", "reason"}, as in',
      '      Confluence.',
      '    error-text=detailed: How detailed are error messages? They name',
      '      the error, its place and the expected value.',
      '    ✔ as expected: the response',
      '',
      '✔ 1 scenario, 3 steps passed, 0 failed, 0 skipped',
    ]);
  });

  for (const width of [20, 60]) {
    it(`is never wider than ${width} columns, and prints no control characters`, async () => {
      const odd = story
        .replace('A story', `"A \\e[31mstory ${'that goes on '.repeat(9)}"`)
        .replace('Once upon a time', '"日本 \\e[2J"')
        .replace('/nowhere', `/${'n'.repeat(150)}`);
      const lines = await shownOf({ story: odd, other: 'title: Other\n' }, width);
      expect(lines.filter(line => widthOf(line) > width)).to.deep.equal([]);
      expect(lines.join('\n')).to.not.include('\u001b');
      expect(lines.join('')).to.match(/\\u/);
    });
  }

  it('shows its place among several, its reading, and that it has no steps', async () => {
    const probe = `title: Probe
gap: ppf-unknown-item
fixture: small-team
steps:
  - say: Ask
    as: admin
    call: ppf.push
    body: { users: [alice], filters: [7] }
    for: { message: { expect: { status: 200 } }, "400": { expect: { status: 400 } } }
`;
    const lines = await shownOf({ probe, none: 'title: None\n' }, 100);
    expect(lines.filter(line => line.startsWith('──'))).to.deep.equal([
      `── Probe ${'─'.repeat(81)} 1 of 3 ──`,
      `── Probe ${'─'.repeat(81)} 2 of 3 ──`,
      `── None ${'─'.repeat(82)} 3 of 3 ──`,
    ]);
    expect(lines.filter(line => line.startsWith('   under'))).to.deep.equal([
      '   under ppf-unknown-item=message: What happens when a group, filter or dashboard does not exist?',
      '   under ppf-unknown-item=400: What happens when a group, filter or dashboard does not exist? The',
    ]);
    expect(lines).to.include('   No steps.');
    expect(lines.filter(line => line.includes('✔ as expected'))).to.have.length(2);
    expect(lines.at(-1)).to.equal('✔ 2 scenarios, 2 steps passed, 0 failed, 0 skipped');
  });
});

describe('a step for an audience', () => {
  it('is brief if asked to: no rules if it passes, no readings if none is a guess', async () => {
    const fails = `${story}  - { say: It fails, call: ppf.push, as: carol, body: { users: [alice], filters: [10500] }, expect: { status: 200 } }\n`;
    const lines = (await shownOf({ fails }, 72, true)).join('\n');
    const [, , pushed = '', nowhere = '', failed = ''] = lines.split(/\n {2}\d /);
    expect(pushed).to.contain('✔ as expected').and.contain('ppf-effect=push-adds').and.not.contain('    rule ');
    expect(nowhere).to.contain('✔ as expected').and.contain('wiki-error-body=').and.not.contain('    rule ');
    expect(failed).to.contain('✘ not as expected').and.contain('rule ppf.admin-only:');
  });

  it('shows what a step changes before its request', async () => {
    const changing = `title: Changes
fixture: small-team
clock: 2026-01-05T09:00:00Z
steps:
  - { say: Later, reset: true, clock: +P1D, readings: { no-change: 409 } }
`;
    expect((await shownOf({ changing }, 72)).slice(2, 6)).to.deep.equal([
      '  1 Later',
      '    ◆ the scenario restarts',
      '    ◆ the time advances: +P1D',
      '    ◆ the readings are now: no-change=409',
    ]);
  });
});
