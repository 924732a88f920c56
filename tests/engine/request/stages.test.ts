// Every refusal, gap and rule comes from a stage that declares it, and every response is one of the derived tables: observes the stages
// during shipped scenarios and many odd requests under every reading.
import { expect } from 'chai';
import { gapsOf, refusalsOf, repliesUnder, rulesOf, statusUnder } from '../../../server/derive/reach.js';
import { errorSchema, replySchema } from '../../../server/derive/schemas/response-schema.js';
import { errorBodyGaps } from '../../../server/engine/request/api-response.js';
import type { Request } from '../../../server/engine/request/request.js';
import type { Result } from '../../../server/engine/request/result.js';
import { namesOf, type RequestState, type Stage } from '../../../server/engine/request/stage.js';
import { withoutSandbox } from '../../../server/engine/request/stages/routing.js';
import { runStages, stages } from '../../../server/engine/request/stages/run-stages.js';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { operationOf, operations, restResources } from '../../../server/operations/catalog/catalog.js';
import { defaultReadings, layReadings, type Readings } from '../../../server/operations/gaps/gaps.js';
import type { Operation } from '../../../server/operations/operation.js';
import { Provenance } from '../../../server/operations/provenance.js';
import { type RefusalCode, refusalSpec } from '../../../server/operations/refusals.js';
import { everyReading, oddQuestions } from '../../support/other-servers/odd-questions.js';
import { assembled, playedOut, shippedRuns } from '../../support/scenarios/shipped-runs.js';
import { type Question, requestTo, smallTeam } from '../../support/worlds/ask.js';
import { askResource, type ResourceQuestion } from '../../support/worlds/ask-resource.js';
import { routedRequest } from '../codec/walk.js';

const kinds = ['refusals', 'gaps', 'rules'] as const;
type Kind = (typeof kinds)[number];

/** What a stage declares for an operation. A refusal brings its own rules with it. */
function declaredBy({ steps }: Stage, kind: Kind, operation: Operation): readonly string[] {
  return steps.flatMap(step => {
    const isMet = step.concerns(operation) || kind === 'refusals'; // an immediate refusal has reached no operation
    const brought = kind === 'rules' ? namesOf(step.refusals, operation).flatMap(rulesOfRefusal) : [];
    return isMet ? [...namesOf<string>(step[kind], operation), ...brought] : brought;
  });
}
const rulesOfRefusal = (code: RefusalCode) => refusalSpec(code).rules ?? [];
const declaredByAny = (stage: Stage, kind: Kind) =>
  operations.flatMap(operation => [...declaredBy(stage, kind, operation)]);

/** Observations, as `stage|kind|name|operation`; the operation is empty if none was reached. */
const seen = new Set<string>();
/** Responses that the derived tables do not foresee. */
const surprises: string[] = [];
const running: Array<{ readonly stage: string; readonly progress: RequestState }> = [];
const note = (kind: Kind, name: string) => {
  const { stage, progress } = running.at(-1) ?? { stage: '' };
  seen.add([stage, kind, name, progress?.operation?.id ?? ''].join('|'));
};

/** Makes every stage and every provenance record what it does; returns the function that stops it. */
function watch(): () => void {
  const { applies, reading, deciding, refuse } = Provenance.prototype;
  const runs = stages.map(stage => stage.run);
  for (const stage of stages) {
    const run = stage.run;
    stage.run = (progress, given) => {
      running.push({ stage: stage.name, progress });
      try {
        return run(progress, given);
      } finally {
        running.pop();
      }
    };
  }
  Provenance.prototype.applies = function (rule) {
    note('rules', rule);
    applies.call(this, rule);
  };
  Provenance.prototype.reading = function (gap) {
    note('gaps', gap);
    return reading.call(this, gap) as ReturnType<typeof reading<typeof gap>>;
  };
  Provenance.prototype.deciding = function (gap) {
    note('gaps', gap);
    return deciding.call(this, gap) as ReturnType<typeof deciding<typeof gap>>;
  };
  Provenance.prototype.refuse = function (code, message, rule) {
    note('refusals', code);
    return refuse.call(this, code, message, rule);
  };
  return () => {
    Object.assign(Provenance.prototype, { applies, reading, deciding, refuse });
    for (const [i, stage] of stages.entries()) stage.run = runs[i] ?? stage.run;
  };
}

describe('the stages of a request', function () {
  this.timeout(300_000);

  before(async () => {
    const end = watch();
    try {
      askOddly();
      for (const [url, question] of oddToResources) askResource(url, question);
      const fake = await assembled();
      for (const run of shippedRuns()) await playedOut(run, fake);
      fake.end();
    } finally {
      end();
    }
  });

  it('respond as the derived tables foresee', () => {
    expect(surprises).to.deep.equal([]);
  });

  it('are in the order in which a request passes them', () => {
    expect(stages.map(({ name }) => name)).to.deep.equal(
      'sandbox readings address method caller browser-post access expand query body decide'.split(' '),
    );
  });

  it('declare the gap of every refusal they declare', () => {
    for (const stage of stages)
      for (const code of declaredByAny(stage, 'refusals')) {
        const { gap } = refusalSpec(code as RefusalCode); // declared as one
        if (gap !== undefined) expect(declaredByAny(stage, 'gaps'), `${stage.name} ${code}`).to.include(gap);
      }
  });

  for (const kind of kinds) {
    it(`give only what they declare for the operation: ${kind}`, () => {
      const undeclared = [...seen].filter(key => {
        const [name, what, id = '', of = ''] = key.split('|');
        const stage = stages.find(one => one.name === name);
        if (what !== kind || stage === undefined) return false;
        const operation = operationOf(of);
        const names = operation === undefined ? declaredByAny(stage, kind) : declaredBy(stage, kind, operation);
        const resource = restResources.find(one => one.id === of);
        if (
          kind === 'refusals' &&
          [...(resource?.refusals ?? []), ...(resource?.access.refusals ?? [])].some(code => code === id)
        )
          return false;
        return !names.includes(id);
      });
      expect(undeclared).to.deep.equal([]);
    });

    it(`declare only what they are observed to give, before the decision: ${kind}`, () => {
      const unseen = stages
        .slice(0, -1)
        .flatMap(stage =>
          [...new Set(declaredByAny(stage, kind))]
            .filter(name => ![...seen].some(key => key.startsWith(`${stage.name}|${kind}|${name}|`)))
            .map(name => `${stage.name} ${name}`),
        );
      expect(unseen).to.deep.equal([]);
    });
  }

  it('leave no gap to be applied after them except the form of a refusal', () => {
    const outside = [...seen].filter(key => key.startsWith('|gaps|')).map(key => key.split('|')[2]);
    expect([...new Set(outside)].sort()).to.deep.equal(
      ['bad-credentials', 'error-text', ...Object.values(errorBodyGaps)].sort(),
    ); // the journal names the user of rejected credentials
  });
});

/** The refusals of the stages for requests to resources of Confluence and Jira. */
const oddToResources: ReadonlyArray<readonly [string, ResourceQuestion]> = [
  ['/rest/api/nothing', {}],
  ['/rest/api/label/x', {}],
  ['/rest/api/space/%zz', {}],
  ['/rest/api/space?limit=many', {}],
  ['/rest/api/space?title=%zz', {}],
  ['/rest/api/space', { method: 'DELETE' }],
  ['/rest/auth/1/session', { method: 'POST', json: {} }],
  ['/rest/api/content/65601?expand=nothing', { readings: { 'expand-unknown': '400' } }],
];

/** Every operation in many ways under every reading, by other methods and other paths, and without a sandbox. */
function askOddly(): void {
  for (const operation of operations) {
    const gaps = gapsOf(operation); // others are found by the first reading that it asks for
    const requests = [...oddQuestions(operation), ...methods(operation)].map(question =>
      requestTo(operation, question),
    );
    for (const some of everyReading.filter(one => gaps.some(gap => gap in one))) {
      const readings = layReadings(defaultReadings, some);
      const holds = tablesFor(operation, readings);
      for (const request of requests) {
        const result = runStages(request, { world: smallTeam, readings, now });
        if (!holds(result))
          surprises.push(`${JSON.stringify(some)}: ${result.refused} ${JSON.stringify(result.response)}`);
      }
    }
  }
  for (const path of paths)
    for (const some of [...everyReading, { 'context-path': '/wiki' } as const])
      runStages(getOf(path), { world: smallTeam, readings: layReadings(defaultReadings, some), now });
  runStages({ ...getOf('/'), readings: 'no-gap=1' }, { world: smallTeam, readings: defaultReadings, now });
  for (const code of ['sandbox-name', 'sandbox-unknown', 'store-unavailable', 'no-room'] as const)
    runStages(getOf('/'), withoutSandbox(defaultReadings, { code, message: 'None.' }));
}

const now = '2026-01-05T09:00:00Z';
const paths = [
  '/',
  '/rest/cwx-ppf/latest/Push',
  '/rest/cwx-ppf/latest/pusch',
  '/rest/cwx-ppf/latest/%E0',
  '/rest/cwx-ppf/latest/push',
  '/wiki/rest/api/cwxapiextension/latest/groups/add-users',
  '/cwxapiextension/latest/groups/add-users',
];

/** A GET, which no operation accepts. */
const getOf = (url: string): Request =>
  routedRequest({ method: 'GET', url, credentials: { kind: 'none' }, contentType: '', body: { kind: 'absent' } });

function methods({ examples: [example] }: Operation): Question[] {
  const params = example?.params ?? { pageId: '65601' };
  return ['OPTIONS', 'GET', 'POST'].map(method => ({ method, params, json: example?.body }));
}

/** Whether the derived tables foresee a response under the readings. */
function tablesFor(operation: Operation, readings: Readings): (result: Result) => boolean {
  const rules = new Set(Object.keys(rulesOf(operation)));
  const gaps = new Set<string>(gapsOf(operation));
  const refusals = new Map(refusalsOf(operation).map(({ code }) => [code, statusUnder(code, readings)]));
  const statuses = repliesUnder(operation, readings).map(({ status }) => status);
  const schemas = { reply: replySchema(operation, readings), error: errorSchema(operation.family, readings) };
  return ({ operation: reached, rules: applied, gaps: decided, refused, response: { status, body } }) => {
    if (reached !== operation.id) return true; // the address or the method led to no operation, or to another one
    const reply = body === undefined ? undefined : JSON.parse(body);
    const isKnown = refused === undefined ? statuses.includes(status) : refusals.get(refused) === status;
    const schema = refused === undefined ? schemas.reply : schemas.error;
    const fits = schema === undefined ? reply === undefined : schemaErrors(schema, reply).length === 0;
    return (
      isKnown && fits && applied.every(rule => rules.has(rule)) && Object.keys(decided).every(gap => gaps.has(gap))
    );
  };
}
