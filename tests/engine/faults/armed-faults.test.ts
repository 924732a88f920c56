// The effect of faults on responses, without a connection: partial pulls, and responses in the form of their family. Partial pushes: tests/model.
import { expect } from 'chai';
import type { Fault, Sandbox, SomeReadings } from '../../../server/index.js';
import { useFake } from '../../support/worlds/use-fake.js';

const json = { 'Content-Type': 'application/json', Authorization: 'Bearer admin-token' };
const add = '/rest/cwxapiextension/latest/groups/add-users';

describe('a sandbox with armed faults', () => {
  const fake = useFake();
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = fake.sandbox();
  });
  const arm = (...faults: Fault[]) => sandbox.faults.set(faults);
  const asked = async (path: string, body: unknown, headers: Record<string, string> = json) => {
    const response = await sandbox.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const type = response.headers.get('content-type');
    return { status: response.status, type, text: await response.text() };
  };
  const messagesOf = ({ text }: { readonly text: string }) => JSON.parse(text).messages;

  it('partial: applies to pulls as to pushes, filters before dashboards, by a path too', async () => {
    const both = { users: ['carol'], dashboards: [11000], filters: [10500] };
    await asked('/rest/cwx-ppf/latest/push', both);
    await arm({ path: '/rest/*/latest/*', effect: { partial: { succeed: 1 } } });
    const pulled = await asked('/rest/cwx-ppf/latest/pull', both);
    expect(messagesOf(pulled)).to.deep.equal(['Could not pull dashboard with id 11000']);
    expect((await sandbox.world()).favourites.carol).to.deep.equal({ filters: [10600], dashboards: [11000] });
    expect(await asked('/rest/cwx-ppf/latest/none', {})).to.include({ status: 404 });
  });

  it('partial: leaves a request with fewer items alone, and a refused one; it counts as fired all the same', async () => {
    await arm({ operation: 'ppf.push', effect: { partial: { succeed: 1 } } });
    const push = (body: object, headers = json) => asked('/rest/cwx-ppf/latest/push', body, headers);
    expect(messagesOf(await push({ users: ['alice'], filters: [10500] }))).to.deep.equal([]);
    expect(await push({ users: ['alice'], filters: [10500, 'x'] })).to.include({ status: 400 });
    expect(await push({}, { ...json, Authorization: '' })).to.include({ status: 401 });
    expect(await sandbox.faults.list()).to.have.nested.property('[0].fired', 3);
  });

  const message = 'Injected fault.';
  const forms: ReadonlyArray<readonly [readings: SomeReadings, text: string]> = [
    [{}, JSON.stringify({ statusCode: 502, message, reason: 'Bad Gateway' })],
    [{ 'wiki-error-body': 'messages' }, JSON.stringify({ messages: [message] })],
    [{ 'wiki-error-body': 'empty' }, ''],
  ];
  for (const [readings, text] of forms)
    it(`has the form of its family under ${JSON.stringify(readings)}, of the sandbox or of the request`, async () => {
      await arm({ path: '/rest/*/latest/*/*', effect: { status: 502 } }, { path: '/nowhere', effect: { status: 500 } });
      const named = Object.entries(readings).map(pair => pair.join('='));
      const refused = { group: 'nobody-knows', users: [] };
      expect(await asked(add, refused, { ...json, 'X-Fake-Reading': named.join() })).to.include({ status: 502, text });
      await sandbox.readings.set(readings);
      expect(await asked(add, refused)).to.include({ status: 502, text });
      expect((await sandbox.journal()).at(-1)).to.include({ refused: undefined, fault: '1 status' });
      expect(await asked('/nowhere', {})).to.include({ status: 500 });
    });

  it('is JSON if the fault has a body and the response had none', async () => {
    await sandbox.readings.set({ 'wiki-success': 'empty' });
    await arm({ operation: 'groups.add-users', effect: { body: [1] } });
    const injected = await asked(add, { group: 'customers', users: ['alice'] });
    expect(injected).to.deep.equal({ status: 200, type: 'application/json', text: '[1]' });
  });
});
