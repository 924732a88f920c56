// Plays steps against a target that records its requests: order, captures, skipped steps and reports.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so a step writes what was captured
// biome-ignore-all lint/suspicious/noThenProperty: the name that steps have for it
import { expect } from 'chai';
import { headerValueError } from '../../../server/derive/sending/sending.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { Player } from '../../../server/scenario/play/player.js';
import {
  type ApiResponse,
  playedBy,
  playedIn,
  playedOn,
  playedText,
  Recorder,
  story,
} from '../../support/scenarios/played.js';
import { failure } from '../../support/worlds/failure.js';

const raw = (path: string, more: Partial<Step> = {}): Step => ({
  say: `asks ${path}`,
  request: { method: 'GET', path },
  ...more,
});

describe('a player', () => {
  it('has no step beyond the last', async () => {
    const player = new Player(story([raw('/a')]), new Recorder([{}]));
    for (const index of [1, -1, 0.5])
      expect((await failure(player.play(index), Error)).message).to.equal(`the scenario has no step ${index}`);
  });

  describe('with captured values', () => {
    const page: ApiResponse = {
      text: '{"id":7,"name":"a b","all":[1,2],"page":{"x":1},"none":null,"sly":"a\\nb","far":"ž"}',
    };
    const capture = { id: '/id', name: '/name', all: '/all', page: '/page', none: '/none', sly: '/sly', far: '/far' };
    const second = async (step: Step, target = new Recorder([page, {}], '', {})) => {
      const [, played] = await playedOn(target, [raw('/first', { capture }), step]);
      return { asked: target.asked[1], text: played === undefined ? [] : playedText(played), played };
    };

    it('fills them in wherever they stand', async () => {
      const { asked } = await second({
        say: 'asks',
        as: { user: '${name}', password: '${id}' },
        call: 'permissions.edit-add',
        path: { pageId: '${id}' },
        query: { a: '${all}', b: 'x${name}' },
        body: { users: '${all}', '${name}': '${page}', text: '${id}!' },
      });
      expect(asked?.path).to.equal('/rest/cwxapiextension/latest/permissions/edit/7?a=1&a=2&b=xa+b');
      expect(JSON.parse(String(asked?.body))).to.deep.equal({ users: [1, 2], 'a b': { x: 1 }, text: '7!' });
      expect(asked?.headers.Authorization).to.equal(`Basic ${Buffer.from('a b:7').toString('base64')}`);
    });

    it('turns them into text in a raw request', async () => {
      const { asked } = await second(
        raw('/pages/${id}?x=${id}', {
          as: { token: '${id}' },
          request: {
            method: 'POST',
            path: '/pages/${id}?x=${id}',
            headers: { 'X-Id': '${id}', 'X-${id}': 'n' },
            body: '${page}',
          },
        }),
      );
      expect(asked).to.deep.equal({
        method: 'POST',
        path: '/pages/7?x=7',
        headers: { Authorization: 'Bearer 7', 'X-Id': '7', 'X-7': 'n' },
        body: '{"x":1}',
      });
    });

    it('expects them with their type, as text in headers, and in the world, and shows them in titles', async () => {
      const responses = [page, { headers: { etag: '7' }, text: '{"id":7,"by":["a b"]}' }];
      const target = new Recorder(responses, '', { 'pages/7': { title: 'a b' } });
      const { text, played } = await second(
        raw('/', {
          say: 'Page ${id} is there',
          expect: { headers: { ETag: '${id}' }, body: { id: '${id}', by: ['${name}'] } },
          then: { pages: { '${id}': { title: '${name}' } } },
        }),
        target,
      );
      expect([text, played?.step.say]).to.deep.equal([[], 'Page 7 is there']);
    });

    it('sends nothing if they do not fit, and says why', async () => {
      const get = (path: string, headers = {}): Partial<Step> => ({ request: { method: 'GET', path, headers } });
      const text = 'must be a string or a number, but';
      const cases: Readonly<Record<string, Partial<Step>>> = {
        [`/path/pageId ${text} ${'${page}'} is {"x":1}`]: { call: 'permissions.edit-add', path: { pageId: '${page}' } },
        [`/path/pageId ${text} ${'${none}'} is null`]: { call: 'permissions.edit-add', path: { pageId: '${none}' } },
        [`/query/a/1 ${text} ${'${page}'} is {"x":1}`]: { call: 'spaces.copy', query: { a: ['b', '${page}'] } },
        [`/request/path ${text} ${'${all}'} is [1,2]`]: get('/p/${all}'),
        [`/request/headers/A ${text} ${'${page}'} is {"x":1}`]: get('/', { A: '${page}' }),
        '/request/path cannot be sent. A path cannot contain " ": write %20 instead.': get('/p/${name}'),
        '/request/path cannot be sent. A path cannot contain "ž": write %C5%BE instead.': get('/p/${far}'),
        [`/request/headers/A cannot be sent. ${headerValueError('\n')}`]: get('/', { A: '${sly}' }),
        [`/as cannot be sent. ${headerValueError('ž')}`]: { as: { token: '${far}' }, call: 'ppf.push' },
      };
      for (const [wanted, step] of Object.entries(cases)) {
        const { asked, text: said, played } = await second({ say: 'asks', ...step });
        expect(asked, wanted).to.equal(undefined);
        expect(said).to.deep.equal([`asks: request ${wanted}`]);
        expect(played?.outcome).to.equal('failed');
        expect(played).to.not.have.property('sent');
      }
    });

    it('skips a step whose value is missing, and goes on', async () => {
      const target = new Recorder([{ text: '{}' }], '', {});
      const played = await playedOn(target, [
        raw('/first', { capture: { id: '/id' } }),
        raw('/pages/${id}', { say: 'needs it' }),
        raw('/last'),
      ]);
      expect(target.asked.map(({ path }) => path)).to.deep.equal(['/first', '/last']);
      expect(played.flatMap(playedText)).to.deep.equal([
        'asks /first: capture /id has no value to capture as id; the body is {}',
        'needs it: request /request/path needs ${id} from step 1, which was not played or captured nothing',
      ]);
    });

    it('needs them in order, and forgets them when it begins again', async () => {
      const target = new Recorder([page], '', {});
      const player = new Player(story([raw('/first', { capture: { id: '/id' } }), raw('/${id}')]), target);
      expect((await player.play(1)).outcome).to.equal('failed');
      await playedBy(player);
      expect(target.asked.at(-1)?.path).to.equal('/7');
      await player.begin();
      expect((await player.play(1)).outcome).to.equal('failed');
      expect(target.done).to.deep.equal(['begin', 'begin']);
    });

    it('knows its run and the context path from the start', async () => {
      const steps = [raw('/${run}${context}')];
      expect((await playedOn(new Recorder([{}], '/wiki'), steps, { run: 'r7' }))[0]?.sent?.path).to.equal(
        '/wiki/r7/wiki',
      );
      const player = new Player(story(steps), new Recorder([{}]));
      expect((await player.play(0)).sent?.path).to.equal('/RUN1');
    });
  });

  it('skips what it cannot do at a target that shows no state, and says why', async () => {
    const target = new Recorder([{ text: '{"id":1}' }]);
    const steps: Record<string, Step> = {
      'it checks the world, which this target does not show': { say: 'looks', then: { groups: { customers: [] } } },
      'it sets faults, which this target does not support': raw('/x', { faults: [{ path: '/x', effect: {} }] }),
      'it needs unknown-user=400, but the reading that this server follows is unknown': raw('/unknown', {
        readings: { 'unknown-user': '400' },
        capture: { id: '/id' },
      }),
      'it needs unknown-page=400, but this server follows 404': raw('/', { readings: { 'unknown-page': '400' } }),
      'it needs ${id}, but the step that captures it was skipped': raw('/needs/${id}'),
      passed: raw('/known', { readings: { 'unknown-page': '404' } }),
    };
    const played = await playedOn(target, Object.values(steps), { known: { 'unknown-page': '404' } });
    expect(played.map(({ outcome, why }) => why ?? outcome)).to.deep.equal(Object.keys(steps));
    expect(target.asked.map(({ path }) => path)).to.deep.equal(['/known']);
    expect(target.asked[0]?.headers).to.deep.equal({});
  });

  it('accepts no proof from a request that reached no operation', async () => {
    const [played] = await playedOn(new Recorder([{}], '', {}), [raw('/', { proves: ['ppf.push'] })]);
    expect(played && playedText(played)).to.deep.equal([
      'asks /: ppf.push did not apply, and the journal has no entry for the request',
    ]);
  });

  describe('with a probe', () => {
    const probe = (more: Partial<Step> = {}) =>
      raw('/probe', { for: { '404': { expect: { status: 404 } }, '400': { expect: { status: 400 } } }, ...more });
    const gap = { gap: 'unknown-user' } as const;
    const outcomeOf = async (status: number, known: '404' | '400' | undefined, step = probe()) => {
      const settings = known === undefined ? {} : { known: { 'unknown-user': known } };
      const [played] = await playedOn(new Recorder([{ status }]), [step], settings, gap);
      return played?.outcome;
    };

    it('expects the response of the known reading', async () => {
      for (const known of ['404', '400'] as const)
        for (const status of [404, 400])
          expect(await outcomeOf(status, known)).to.equal(`${status}` === known ? 'passed' : 'failed');
    });

    it('expects only the common part if no reading is known', async () => {
      expect(await outcomeOf(500, undefined)).to.equal('passed');
      expect(await outcomeOf(500, undefined, probe({ expect: { status: '4XX' } }))).to.equal('failed');
    });

    it('expects nothing of an unknown context path, even if its own is empty', async () => {
      const step = raw('/', { for: { '${context}': { expect: { status: 404 } }, none: { expect: { status: 404 } } } });
      const gap = { gap: 'context-path' } as const;
      const [played] = await playedOn(new Recorder([{}]), [step], {}, gap);
      expect(played?.outcome).to.equal('passed');
      const [own] = await playedOn(new Recorder([{}], '/wiki'), [step], { known: { 'context-path': '/wiki' } }, gap);
      expect(own && playedText(own)).to.deep.equal(['asks /: status is 200, not 404']);
    });
  });
});

describe('a player in process', () => {
  const join = (user: string, more: Partial<Step> = {}): Step => ({
    say: `${user} joins`,
    as: 'admin',
    call: 'groups.add-users',
    body: { group: 'customers', users: [user] },
    ...more,
  });

  it('uses the readings of a step for that step alone', async () => {
    const played = await playedIn(
      story([
        join('bob', { readings: { 'unknown-user': '400' }, expect: { status: 400 } }),
        join('bob', { expect: { status: 404 } }),
      ]),
    );
    expect(played.flatMap(playedText)).to.deep.equal([]);
    expect(played[0]?.insight?.gaps).to.include({ 'unknown-user': '400' });
  });

  it('does not mix up the entries of two requests', async () => {
    const [, second] = await playedIn(story([join('alice'), raw('/_fake/health', { proves: ['groups.add-users'] })]));
    expect(second?.insight).to.equal(undefined);
    expect(second?.outcome).to.equal('failed');
  });

  it('stays in its sandbox, whichever sandbox a request names', async () => {
    const request = {
      method: 'POST',
      path: '/rest/cwxapiextension/latest/groups/add-users',
      headers: { 'x-FAKE-sandbox': 'other', 'Content-Type': 'application/json' },
      body: '{"group":"customers","users":["alice"]}',
    };
    const [played] = await playedIn(story([{ say: 's', request, then: { groups: { customers: ['alice'] } } }]));
    expect(played && playedText(played)).to.deep.equal([]);
  });
});
