// The provider states over plain HTTP: both forms, the sandbox, the start of a new world, and the errors.
import { expect } from 'chai';
import type { Log } from '../../../server/engine/log.js';
import type { Running } from '../../../server/process/start.js';
import { providerStateCatalogue } from '../../../server/scenario/states/provider-states.js';
import type { FlagValues } from '../../../server/settings/settings.js';
import { type RawResponse, send, sendJson, serving, worldIn } from '../../support/wire/server.js';

const STATES = '/_fake/v1/provider-states';
const PUSH = '/rest/cwx-ppf/latest/push';

describe('provider states over HTTP', () => {
  let server: Running;
  let warned: string[];
  const log: Log = { info: () => {}, warn: message => warned.push(message), error: message => warned.push(message) };
  const serve = (flags: FlagValues = {}) => serving(undefined, flags, log);
  before(async () => {
    server = await serve();
  });
  beforeEach(async () => {
    warned = [];
    for (const { name } of server.session.sandboxes.list()) await server.session.drop(name);
    await server.session.open('default');
  });
  after(() => server.stop());

  const post = (body: unknown, headers = {}, at = '') =>
    sendJson(server.url + at + STATES, 'POST', body, undefined, headers);
  const setUp = (state: string, params?: unknown, at = '') => post({ action: 'setup', state, params }, {}, at);
  const tearDown = (state: string, at = '') => post({ action: 'teardown', state, params: {} }, {}, at);
  const query = (text: string, at = '') => send(`${server.url}${at}${STATES}?${text}`, { method: 'POST' });
  const anyCall = (at = '') => sendJson(server.url + at + PUSH, 'POST', {});
  const world = (name?: string) => worldIn(server, name);
  const detailOf = ({ json }: RawResponse) => (json as { detail: string }).detail;

  describe('as JSON', () => {
    it('defaults a missing action to setup, treats null as no parameters, and ignores unknown fields and headers', async () => {
      const { status } = await post(
        { state: 'unlicensed', params: null, consumer: 'c', states: ['x'] },
        { 'x-whatever': '1', 'x-pact': '' },
      );
      expect(status).to.equal(200);
      expect((await world()).licence.ppf).to.equal('expired');
    });

    it('tears down, whatever the state, and creates no sandbox for that', async () => {
      for (const state of ['unlicensed', 'no such state', '']) {
        const { status, json } = await tearDown(state, '/~torn');
        expect({ status, json }).to.deep.equal({ status: 200, json: {} });
      }
      expect(server.session.sandboxes.find('torn')).to.equal(undefined);
    });

    it('gives the values of each state', async () => {
      const names = { name: 'ds', key: 'ds', space: 'ds', title: 'T', user: 'zoe' };
      const all: Readonly<Record<string, unknown>> = { ...names, id: 7, licence: 'none', password: 'p', token: 't' };
      for (const { name, params, gives } of providerStateCatalogue) {
        const { properties } = params as { properties: Record<string, unknown> };
        const given = Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(properties, key)));
        const { status, json } = await setUp(name, given);
        expect(status, name).to.equal(200);
        expect(json, name).to.have.all.keys(gives);
      }
    });
  });

  describe('as a query', () => {
    it('sets up without a body, and tears down', async () => {
      expect((await query('action=setup&state=licence+is&licence=none')).json).to.deep.equal({ licence: 'none' });
      expect((await world()).licence.ppf).to.equal('none');
      expect((await query('action=teardown&state=licence%20is&licence=none')).status).to.equal(200);
      await query('state=user+exists&name=bob');
      expect((await world()).licence.ppf).to.equal('valid');
    });

    it('is ignored if the body names a state', async () => {
      const { status } = await sendJson(`${server.url}${STATES}?team=a&state=none`, 'POST', { state: 'unlicensed' });
      expect({ status, ppf: (await world()).licence.ppf }).to.deep.equal({ status: 200, ppf: 'expired' });
    });

    it('has numbers, flags, lists and objects as the parameters require', async () => {
      await query('state=user+exists&name=123&admin=TRUE&displayName=true');
      await query('state=user+exists&name=%5Bb%5D');
      await query('state=group+exists&name=one&members=alice');
      await query('state=group+exists&name=two&members=alice&members=123');
      await query(`state=group+exists&name=json&members=${encodeURIComponent('["alice","[b]"]')}`);
      await query('state=group+exists&name=none&members=%5B%5D');
      await query('state=filter+exists&id=7&sharedWith=nobody');
      const audience = encodeURIComponent('{"users":["alice"]}');
      expect((await query(`state=dashboard+exists&id=8&sharedWith=${audience}`)).json).to.deep.equal({
        dashboardId: 8,
      });
      const { users, groups, filters, dashboards } = await world();
      expect(users[123]).to.deep.equal({ displayName: 'true', admin: true });
      expect(groups).to.deep.include({ one: ['alice'], two: ['123', 'alice'], json: ['[b]', 'alice'], none: [] });
      expect(filters[7]?.sharedWith).to.equal('nobody');
      expect(dashboards[8]?.sharedWith).to.deep.equal({ users: ['alice'], groups: [] });
    });

    const wrong: Record<string, [text: string, says: string]> = {
      'an invalid flag': ['state=user+exists&name=a&admin=yes', '/admin must be true or false, not "yes"'],
      'two values for one': [
        'state=user+exists&name=a&name=b',
        '/name is given 2 times in the query, but must have one',
      ],
      'a list that is not JSON': [
        'state=group+exists&name=a&members=%5Balice%5D',
        '/members is "[alice]", which is not',
      ],
      'a misspelt parameter': ['state=user+exists&nme=a', '/nme: Unknown key "nme" (did you mean "name"?)'],
      'a parameter for a scenario': ['state=unlicensed&user=a', 'The state "unlicensed" takes no parameters.'],
      'two states': ['state=unlicensed&state=small-team', 'The parameter "state" is given 2 times: send one'],
      'an unknown action': ['action=set&state=unlicensed', 'The parameter "action" must be setup or teardown'],
      'bytes that are not text': ['state=%ff', '"state=%ff" is not valid percent-encoded UTF-8.'],
    };
    it('is refused with the reason if it is invalid', async () => {
      for (const [what, [text, says]] of Object.entries(wrong)) {
        const answered = await query(text);
        expect(answered.status, what).to.equal(400);
        expect(detailOf(answered)).to.contain(says);
      }
    });
  });

  describe('a new world', () => {
    const licence = () => setUp('licence is', { licence: 'none' });
    const isNew = async () => {
      expect((await setUp('user exists', { name: 'dora' })).status).to.equal(200);
      return (await world()).licence.ppf === 'valid';
    };

    it('does not start between consecutive setups, a scenario first', async () => {
      await setUp('restricted-page');
      await licence();
      expect(await isNew()).to.equal(false);
    });

    for (const [what, happens] of Object.entries<() => Promise<unknown>>({
      'a request to an operation': () => anyCall(),
      'a teardown': () => tearDown('licence is'),
      'an unknown state': () => setUp('licens is'),
      'wrong parameters': () => setUp('user exists', { nme: 'a' }),
    })) {
      it(`starts after ${what}`, async () => {
        await licence();
        await happens();
        expect(await isNew()).to.equal(true);
      });
    }

    it('does not start for what a control request has prepared, nor for a health check', async () => {
      await sendJson(`${server.url}/_fake/v1/sandboxes/default/world`, 'PATCH', { licence: { ppf: 'none' } });
      await send(`${server.url}/_fake/health`);
      expect(await isNew()).to.equal(false);
    });

    it('starts if a sandbox was recreated under the name, and not for what was prepared in that', async () => {
      await licence();
      await send(`${server.url}/_fake/v1/sandboxes/default`, { method: 'DELETE' });
      expect(await isNew()).to.equal(true);
      await sendJson(`${server.url}/_fake/v1/sandboxes/default`, 'PUT', { scenario: 'unlicensed' });
      expect(await isNew()).to.equal(false);
    });

    it('keeps the readings chosen for the sandbox and its time to live, which are not part of a world', async () => {
      await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'kept', ttl: 7 });
      await sendJson(`${server.url}/_fake/v1/sandboxes/kept/readings`, 'PUT', { 'unknown-user': '400' });
      await setUp('unlicensed', {}, '/~kept');
      const kept = server.session.sandboxes.find('kept');
      expect(kept).to.have.nested.property('readings.unknown-user', '400');
      expect(kept?.ttl).to.equal(7000);
      expect(kept?.state.world.licence.ppf).to.equal('expired');
    });

    it('is whole with concurrent setups: they run one after the other', async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const responses = await Promise.all(names.map(name => setUp('user exists', { name })));
      expect(responses.map(({ status }) => status)).to.deep.equal(names.map(() => 200));
      expect(Object.keys((await world()).users)).to.include.members(names);
    });
  });

  describe('the sandbox', () => {
    it('is that of the path, else that of the header, else default', async () => {
      await setUp('unlicensed', {}, '/~job-7');
      await post({ state: 'unlicensed' }, { 'X-Fake-Sandbox': 'job-8' });
      await sendJson(`${server.url}/~job-9${STATES}`, 'POST', { state: 'unlicensed' }, undefined, {
        'X-Fake-Sandbox': 'job-10',
      });
      const licences = await Promise.all(['job-7', 'job-8', 'job-9', 'default'].map(name => world(name)));
      expect(licences.map(({ licence }) => licence.ppf)).to.deep.equal(['expired', 'expired', 'expired', 'valid']);
      expect(server.session.sandboxes.find('job-10')).to.equal(undefined);
    });

    it('is created by a state if sandboxes must be created explicitly', async () => {
      const strict = await serve({ sandboxes: 'explicit' });
      const at = `${strict.url}/~job-1`;
      expect((await sendJson(at + PUSH, 'POST', {})).status).to.equal(404);
      expect((await sendJson(at + STATES, 'POST', { state: 'user exists', params: { name: 'bob' } })).status).to.equal(
        200,
      );
      const pushed = await sendJson(at + PUSH, 'POST', { users: ['bob'], filters: [10500] }, 'admin');
      expect(pushed.json).to.deep.equal({ success: true, messages: [] });
      await strict.stop();
    });
  });

  describe('the path', () => {
    it('below a sandbox has this endpoint, the guide and openapi.json of the control API, and no other', async () => {
      expect((await send(`${server.url}/~job-7${STATES}`)).status).to.equal(200);
      for (const path of ['/guide', '/openapi.json'])
        expect((await send(`${server.url}/~job-7/_fake/v1${path}`)).status, path).to.equal(200);
      for (const path of ['/scenarios', '/sandboxes', '/provider-states/', '/Provider-states', '/control-openapi.json'])
        expect((await send(`${server.url}/~job-7/_fake/v1${path}`)).status, path).to.equal(404);
      expect((await send(`${server.url}/~job-7/_fake/health`)).status).to.equal(404);
      expect((await send(`${server.url}/~job-7/wiki${STATES}`)).status).to.equal(404);
    });
  });

  describe('a refusal', () => {
    const wrong: Record<string, [body: string, says: string, type?: string]> = {
      'an unknown state': ['{"state":"user exist"}', 'Unknown state "user exist" (did you mean "user exists"?).'],
      'no state': ['{}', 'Send {"action": "setup", "state": "user exists"'],
      'a form': ['state=unlicensed', 'Any website could make a browser send', 'application/x-www-form-urlencoded'],
      'parameters that are text': ['{"state":"user exists","params":"bob"}', 'must be an object'],
      'a name that leads elsewhere': ['{"state":"../../package"}', 'Unknown state "../../package"'],
      'a name of every object': ['{"state":"__proto__"}', 'Unknown state "__proto__"'],
    };
    for (const [what, [body, says, type = 'application/json']] of Object.entries(wrong)) {
      it(`answers and logs ${what}`, async () => {
        const answered = await send(server.url + STATES, { method: 'POST', body, headers: { 'content-type': type } });
        expect(answered.status).to.equal(says.startsWith('Unknown state') ? 404 : what === 'a form' ? 415 : 400);
        expect(detailOf(answered)).to.contain(says);
        expect(answered.headers.get('content-type')).to.equal('application/problem+json');
        expect(warned).to.deep.equal([`POST ${STATES} returned ${answered.status}: ${detailOf(answered)}`]);
      });
    }
  });
});
