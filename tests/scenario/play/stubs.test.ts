// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so placeholders are written
// Stubs of a scenario and of its steps, as they are played.
import { expect } from 'chai';
import { playedIn, playedText, story } from '../../support/scenarios/played.js';
import { smallTeam } from '../../support/worlds/ask.js';

describe('the stubs of a scenario', () => {
  it('fill placeholders of their own when they respond, and captured values when they are set', async () => {
    const played = await playedIn(
      story(
        [
          {
            say: 'ask',
            request: { method: 'GET', path: '/rest/api/2/serverInfo' },
            capture: { title: '/serverTitle' },
          },
          {
            say: 'echo',
            stubs: [
              { path: '/echo/*', body: { id: '${id}', of: '${request.path.2}', title: '${title}', at: '${now}' } },
            ],
            request: { method: 'GET', path: '/echo/a' },
            expect: { body: { id: 1, of: 'a', title: 'cwx-fake', at: { $any: 'string' } } },
          },
        ],
        { origin: { scenario: 'own-story', world: smallTeam, readings: {} } },
      ),
    );
    expect(played.flatMap(playedText)).to.deep.equal([]);
  });

  it('answer from the start and from their step on, also after a reset, and are named in the evidence', async () => {
    const ask = (path: string, status: number) => ({ request: { method: 'GET', path }, expect: { status } });
    const origin = { scenario: 'own-story', world: smallTeam, readings: {}, stubs: [{ path: '/a', status: 201 }] };
    const steps = [
      { say: 'of the scenario', ...ask('/a', 201) },
      { say: 'of the step', stubs: [{ path: '/b', body: 'b' }], ...ask('/b', 200) },
      { say: 'afterwards', ...ask('/b', 200) },
      { say: 'again', reset: true, ...ask('/b', 404) },
      { say: 'as at first', ...ask('/a', 201) },
    ] as const;
    const played = await playedIn(story(steps, { origin }));
    expect(played.flatMap(playedText)).to.deep.equal([]);
    expect(played.map(({ insight }) => insight?.stub)).to.deep.equal(['1 /a', '2 /b', '2 /b', undefined, '1 /a']);
  });
});
