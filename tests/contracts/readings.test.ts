// The contracts of our clients rest on no guess: each interaction, repeated under every other reading of every gap its response names,
// and under every pair of them, still gets the asserted response.
import { expect } from 'chai';
import { checkExpectation, checkRequest } from '../../server/derive/document/document-check.js';
import { createFake, type Fake, providerStates } from '../../server/index.js';
import { rules } from '../../server/operations/catalog/catalog.js';
import { isGapId, readingNames } from '../../server/operations/gaps/gaps.js';
import { allowsStatus, pactsIn, requestOf, type Written } from './recorded.js';

/** One choice of readings: gap and reading. */
type Choice = readonly [gap: string, reading: string];

/** It pulls from a group without members, so no open question matters. */
const withoutGaps = 'a pull that can be done completely';

describe('the contracts of our consumers', () => {
  let fake: Fake;
  before(async () => {
    fake = await createFake();
  });
  after(() => fake.stop());

  /** Runs in a new world. */
  async function ask(interaction: Written, choices: readonly Choice[] = []): Promise<Response> {
    const states = providerStates(fake, { onFailure: error => expect.fail(error.message) });
    for (const { name, params } of interaction.providerStates) await states[name]?.(params);
    const { method, path, headers, body } = requestOf(interaction);
    const reading = choices.map(pair => pair.join('=')).join(', ');
    return fake.sandbox('default').fetch(path, {
      method,
      headers: { ...headers, ...(reading !== '' && { 'X-Fake-Reading': reading }) },
      ...(typeof body === 'string' && { body }),
    });
  }

  /** The difference from what the interaction asserts, if any. */
  async function difference(interaction: Written, response: Response): Promise<string | undefined> {
    const text = await response.text();
    if (!allowsStatus(interaction, response.status)) return `${response.status} ${text}`;
    const { body } = interaction.response;
    if (body === undefined) return undefined;
    const expected = body.content as { success: boolean; messages: readonly string[] }; // as the favourites client is answered
    const { success, messages } = JSON.parse(text);
    const fits = success === expected.success && messages.length >= expected.messages.length;
    return fits && messages.every((message: unknown) => typeof message === 'string') ? undefined : text;
  }

  /** The readings, alone and in pairs, under which the interaction gets another response than asserted. */
  async function brokenBy(interaction: Written): Promise<{ broken: string[]; tried: readonly Choice[] }> {
    const first = await ask(interaction);
    expect(await difference(interaction, first)).to.equal(undefined);
    const touched = new Set(gapsIn(first));
    const tried: Choice[] = [];
    const broken: string[] = [];
    const attempt = async (choices: readonly Choice[]) => {
      const response = await ask(interaction, choices);
      for (const gap of gapsIn(response)) touched.add(gap); // iteration includes elements added meanwhile
      const differs = await difference(interaction, response);
      if (differs !== undefined) broken.push(`${choices.map(pair => pair.join('=')).join(' and ')}: ${differs}`);
    };
    for (const gap of touched) {
      for (const reading of isGapId(gap) ? readingNames(gap) : []) {
        await attempt([[gap, reading]]);
        for (const other of tried) if (other[0] !== gap) await attempt([other, [gap, reading]]);
        tried.push([gap, reading]);
      }
    }
    return { broken, tried };
  }

  for (const { consumer, interactions } of pactsIn()) {
    if (consumer === 'examples') continue; // they show the default readings
    for (const interaction of interactions) {
      it(`${consumer}: ${interaction.description} passes under any reading`, async () => {
        const { broken, tried } = await brokenBy(interaction);
        expect(broken).to.deep.equal([]);
        expect(tried.length > 1, 'whether a gap decides').to.equal(interaction.description !== withoutGaps);
      });
    }
  }

  it('would be reported if one depended on a reading', async () => {
    const [strict] = pactsIn().flatMap(({ interactions }) =>
      interactions.filter(({ description }) => description === 'a push without credentials'),
    );
    if (strict === undefined) return expect.fail('there is no such interaction');
    const { broken } = await brokenBy({ ...strict, response: { status: 403 } });
    expect(broken[0]).to.match(/^ppf-anonymous=401: 401 /);
  });

  it('exercise every rule except those that no contract of ours needs', async () => {
    const seen = new Set<string>();
    for (const interaction of pactsIn().flatMap(({ interactions }) => interactions))
      for (const rule of listed((await ask(interaction)).headers.get('x-fake-rules'))) seen.add(rule);
    const unseen = Object.keys(rules).filter(rule => !seen.has(rule) && !rule.startsWith('address.')); // not named beside others
    expect(unseen).to.deep.equal(['expand.list', 'expand.nested', 'permissions.heading-method']);
  });

  it('send and assert only what the document has, except for expected refusals', () => {
    const against = pactsIn().flatMap(({ interactions }) =>
      interactions.flatMap(interaction => {
        const { operation, findings } = checkRequest(requestOf(interaction));
        if (operation === undefined) return ['no operation'];
        const { status, body, headers = {}, matchingRules } = interaction.response;
        const expected = checkExpectation(operation, {
          ...(matchingRules?.status === undefined && { status }),
          headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(', ')])),
          ...(body !== undefined && { body: body.content }),
        });
        return [...findings, ...expected].map(({ rule, gap }) => `${interaction.description}: ${rule ?? gap}`);
      }),
    );
    expect(against).to.deep.equal(
      ['pull', 'push'].flatMap(what => [
        `a ${what} without filters and dashboards: ppf.needs-item`,
        `a ${what} without users and groups: ppf.needs-recipient`,
      ]),
    );
  });
});

function gapsIn(response: Response): string[] {
  return listed(response.headers.get('x-fake-gaps')).map(pair => pair.split('=', 1)[0] ?? '');
}

function listed(header: string | null): string[] {
  return (header ?? '').split(', ').filter(name => name !== '');
}
