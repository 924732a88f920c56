// The effect of faults on responses, without a connection: partial pushes and pulls, responses in the form of their family, and
// requests left alone.
import { expect } from 'chai';
import { createFake, type Fake, type Fault, type Sandbox, type SomeReadings } from '../../../server/index.js';

const json = { 'Content-Type': 'application/json', Authorization: 'Bearer admin-token' };

describe('a sandbox with armed faults', () => {
  let fake: Fake;
  let sandbox: Sandbox;
  before(async () => {
    fake = await createFake();
  });
  after(() => fake.stop());
  beforeEach(() => {
    sandbox = fake.sandbox();
  });
  const arm = (...faults: Fault[]) => sandbox.faults.set(faults);
  const asked = async (path: string, body: unknown, more: RequestInit = {}) => {
    const response = await sandbox.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body), ...more });
    return { status: response.status, text: await response.text() };
  };
  const push = (body: unknown) => asked('/rest/cwx-ppf/latest/push', body);
  const last = async () => (await sandbox.journal()).at(-1);

  describe('partial', () => {
    const partial = (succeed: number, operation: 'ppf.push' | 'ppf.pull' = 'ppf.push', more: Partial<Fault> = {}) =>
      arm({ operation, effect: { partial: { succeed } }, ...more } as Fault);
    const answered = (...messages: string[]) => ({
      status: 200,
      text: JSON.stringify({ success: messages.length === 0, messages }),
    });
    const favourites = async () => (await sandbox.world()).favourites;

    it('applies filters before dashboards, each once', async () => {
      await partial(2);
      expect(
        await push({ users: ['alice'], dashboards: [11000], filters: [10600, 10600, 10500, 10500] }),
      ).to.deep.equal(answered('Could not push dashboard with id 11000'));
      expect((await favourites()).alice).to.deep.equal({ filters: [10500, 10600], dashboards: [] });
    });

    it('applies to pulls as to pushes', async () => {
      await push({ users: ['carol'], filters: [10500], dashboards: [11000] });
      await partial(1, 'ppf.pull');
      expect(
        await asked('/rest/cwx-ppf/latest/pull', { users: ['carol'], filters: [10500], dashboards: [11000] }),
      ).to.deep.equal(answered('Could not pull dashboard with id 11000'));
      expect((await favourites()).carol).to.deep.equal({ filters: [10600], dashboards: [11000] });
    });

    it('applies to every user and every member of a group', async () => {
      await partial(1);
      await push({ users: ['demouser1'], groups: ['jira-core-users'], filters: [10500], dashboards: [11000] });
      const { alice, carol, demouser1 } = await favourites();
      expect({ alice, carol, demouser1 }).to.deep.equal({
        alice: { filters: [10500], dashboards: [] },
        carol: { filters: [10500, 10600], dashboards: [] },
        demouser1: { filters: [10500], dashboards: [] },
      });
    });

    it('leaves a request with fewer items alone, and a refused one; it counts as fired all the same', async () => {
      await partial(1);
      expect(await push({ users: ['alice'], filters: [10500] })).to.deep.equal(answered());
      expect(await push({ users: ['alice'], filters: [10500, 'x'] })).to.include({ status: 400 });
      expect(await last()).to.include({ refused: 'body-shape' });
      const anonymous = { headers: { 'Content-Type': 'application/json' } };
      expect(await asked('/rest/cwx-ppf/latest/push', {}, anonymous)).to.include({ status: 403 });
      expect(await sandbox.faults.list()).to.have.nested.property('[0].fired', 3);
    });

    it('counts for a path too, and does nothing if the path leads to another operation', async () => {
      await arm({ path: '/rest/*/latest/*', effect: { partial: { succeed: 0 } } });
      expect(await push({ users: ['alice'], filters: [10500] })).to.deep.equal(
        answered('Could not push filter with id 10500'),
      );
      expect(await asked('/rest/cwx-ppf/latest/none', {})).to.include({ status: 404 });
    });
  });

  describe('an injected response', () => {
    const add = '/rest/cwxapiextension/latest/groups/add-users';
    const body = { group: 'customers', users: ['alice'] };
    const message = 'Injected fault.';
    const forms: ReadonlyArray<readonly [readings: SomeReadings, text: string]> = [
      [{}, JSON.stringify({ statusCode: 502, message, reason: 'Bad Gateway' })],
      [{ 'wiki-error-body': 'messages' }, JSON.stringify({ messages: [message] })],
      [{ 'wiki-error-body': 'empty' }, ''],
    ];
    for (const [readings, text] of forms) {
      it(`has the form of its family under ${JSON.stringify(readings)}, of the sandbox or of the request`, async () => {
        const fault: Fault = { operation: 'groups.add-users', effect: { status: 502 } };
        const own = fake.sandbox(undefined, { readings });
        await own.faults.set([fault]);
        expect(await own.client().groups.addUsers({ body })).to.include({ status: 502 });
        expect((await own.journal()).at(-1)?.response).to.deep.equal({
          status: 502,
          headers: text === '' ? {} : { 'Content-Type': 'application/json' },
          body: text === '' ? undefined : text,
        });
        await arm(fault);
        const named = Object.entries(readings)
          .map(([gap, reading]) => `${gap}=${reading}`)
          .join();
        const headers = { ...json, ...(named !== '' && { 'X-Fake-Reading': named }) };
        expect(await asked(add, body, { headers })).to.deep.equal({ status: 502, text });
      });
    }

    it('replaces a refusal too, and the response for an unknown operation', async () => {
      await arm({ path: '/rest/*/latest/*/*', effect: { status: 503 } }, { path: '/nowhere', effect: { status: 500 } });
      expect(await asked(add, { group: 'nobody-knows' })).to.include({ status: 503 });
      expect(await last()).to.include({ refused: undefined, fault: '1 status' });
      expect(await asked('/nowhere', {})).to.include({ status: 500 });
      expect(await asked('/elsewhere', {})).to.include({ status: 404 });
    });

    it('is JSON if the fault has a body and the response had none', async () => {
      await sandbox.readings.set({ 'wiki-success': 'empty' });
      await arm({ operation: 'groups.add-users', effect: { body: [1] } });
      const response = await sandbox.fetch(add, { method: 'POST', headers: json, body: JSON.stringify(body) });
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('application/json');
      expect(await response.text()).to.equal('[1]');
    });
  });
});
