// What the favourites client needs of push and pull, written to contracts/pacts/favourites-push-pull.json.
// The document promises the statuses, and of a processed request success and messages, but not what a message says or what a refusal holds.
// The worlds and the requests are chosen so that no reading of a gap changes that: lists are left out where there is nothing in them
// (ppf-empty-arrays), items exist and everyone may see them (ppf-unknown-item, ppf-invisible-item), what is pushed is no favourite yet and what is
// pulled completely is pulled from an empty group (ppf-effect, ppf-no-change), and what is refused is refused for one reason only (ppf-check-order).
import { Matchers } from '@pact-foundation/pact';
import { expect } from 'chai';
import { type Favourites, FavouritesClient, TurnedAway } from './favourites-client.js';
import { contract, type State } from './interaction.js';

const play = contract('favourites', 'push-pull');

const as = { user: 'admin', password: 'admin' };
const admin: State = ['user exists', { name: 'admin', password: 'admin', admin: true }];
const alice: State = ['user exists', { name: 'alice' }];
const team: State = ['group exists', { name: 'apollo-team', members: ['alice'] }];
const filter: State = ['filter exists', { id: 4711, sharedWith: 'everyone' }];
const dashboard: State = ['dashboard exists', { id: 4712, sharedWith: 'everyone' }];
/** In this scenario Carol has the filter 10600 among her favourites, the group customers is empty, and bob is unknown. */
const smallTeam: State = ['small-team'];

/** A list of texts; that the journal has none where all was done is not promised. */
const anyMessages = Matchers.eachLike('Could not find user with name bob', 0);
const someMessages = Matchers.eachLike('Could not find user with name bob', 1);

const asked = (what: 'push' | 'pull', body: Favourites) => ({
  method: 'POST',
  path: `/rest/cwx-ppf/latest/${what}`,
  body,
});

const both = [
  {
    what: 'push',
    ask: (client: FavouritesClient, favourites: Favourites) => client.give(favourites),
    given: [admin, alice, team, filter, dashboard],
    everything: { users: ['admin'], groups: ['apollo-team'], filters: [4711], dashboards: [4712] },
    one: { users: ['alice'], filters: [4711] },
    partly: { users: ['alice', 'bob'], filters: [4711] },
  },
  {
    what: 'pull',
    ask: (client: FavouritesClient, favourites: Favourites) => client.take(favourites),
    given: [smallTeam, admin],
    everything: { groups: ['customers'], filters: [10600] },
    one: { users: ['carol'], filters: [10600] },
    partly: { users: ['carol', 'bob'], filters: [10600] },
  },
] as const;

for (const { what, ask, given, everything, one, partly } of both) {
  describe(`the favourites client and ${what}`, () => {
    const turnedAway = async (asking: Promise<unknown>, why: TurnedAway['why']) => {
      const error = await asking.catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(TurnedAway).with.property('why', why);
    };

    it('is told that all was done', () =>
      play(
        {
          receiving: `a ${what} that can be done completely`,
          given,
          as,
          asked: asked(what, everything),
          status: 200,
          reply: { success: true, messages: anyMessages },
        },
        async client => {
          expect(await ask(new FavouritesClient(client), everything)).to.have.property('done', true);
        },
      ));

    it('is told what could not be done', () =>
      play(
        {
          receiving: `a ${what} that names a user who does not exist`,
          given,
          as,
          asked: asked(what, partly),
          status: 200,
          reply: { success: false, messages: someMessages },
        },
        async client => {
          const { done, problems } = await ask(new FavouritesClient(client), partly);
          expect(done).to.equal(false);
          expect(problems).to.have.lengthOf(1);
        },
      ));

    it('is turned away without recipients', () => {
      const { users, ...rest } = one;
      return play(
        {
          receiving: `a ${what} without users and groups`,
          given,
          as,
          asked: asked(what, rest),
          status: 400,
          breaks: ['ppf.needs-recipient'],
        },
        client => turnedAway(ask(new FavouritesClient(client), rest), 'nothing to do'),
      );
    });

    it('is turned away without items', () => {
      const { filters, ...rest } = one;
      return play(
        {
          receiving: `a ${what} without filters and dashboards`,
          given,
          as,
          asked: asked(what, rest),
          status: 400,
          breaks: ['ppf.needs-item'],
        },
        client => turnedAway(ask(new FavouritesClient(client), rest), 'nothing to do'),
      );
    });

    it('is turned away where the caller is no admin', () =>
      play(
        {
          receiving: `a ${what} of a caller who is no admin`,
          given: [
            ...given,
            ['user exists', { name: 'dave', password: 'dave' }],
            ['caller is not an admin', { user: 'dave' }],
          ],
          as: { user: 'dave', password: 'dave' },
          asked: asked(what, one),
          status: 403,
        },
        client => turnedAway(ask(new FavouritesClient(client), one), 'not permitted'),
      ));

    it('is turned away without a licence', () =>
      play(
        {
          receiving: `a ${what} without a licence`,
          given: [...given, ['licence is', { licence: 'expired' }]],
          as,
          asked: asked(what, one),
          status: 403,
        },
        client => turnedAway(ask(new FavouritesClient(client), one), 'not permitted'),
      ));

    // 403 is the only status that the document gives; 401, which Jira sends, is the other reading of ppf-anonymous. The client takes both for the same.
    it('is turned away without credentials', () =>
      play(
        {
          receiving: `a ${what} without credentials`,
          given,
          asked: asked(what, one),
          status: Matchers.matchStatus(403, [401, 403]),
        },
        client => turnedAway(ask(new FavouritesClient(client), one), 'not permitted'),
      ));
  });
}
