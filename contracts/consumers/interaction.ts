// One interaction of a consumer and a provider: told to Pact, asked by the real client, and held against the document before it is written.
// Knows no client.
import { Matchers, PactV4 } from '@pact-foundation/pact';
import { expect } from 'chai';
import { checkExpectation, checkRequest, showFinding } from '../../server/derive/document/document-check.js';
import { documentedStatuses } from '../../server/derive/document/documented-statuses.js';
import { authorization, type HttpRequest, type Proof } from '../../server/derive/sending/call.js';
import type { Client } from '../../server/library/client/calls.js';
import { clientFor } from '../../server/library/client/client.js';
import { connection } from '../../server/library/port/http-connection.js';
import { pactsFolder } from './pacts-folder.js';

type Pact = InstanceType<typeof PactV4>;
type Status = Parameters<ReturnType<ReturnType<Pact['addInteraction']>['withRequest']>['willRespondWith']>[0];
type Params = NonNullable<Parameters<ReturnType<Pact['addInteraction']>['given']>[1]>;

/** A provider state: a scenario by its name, or one with parameters. */
export type State = readonly [name: string, params?: Params];

export interface Interaction {
  /** Unique together with the states. */
  readonly receiving: string;
  readonly given: readonly State[];
  /** Left out: the caller shows no credentials. */
  readonly as?: Proof;
  readonly asked: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: object;
  };
  /** A matcher where the document promises no status. */
  readonly status: Status;
  /** With matchers where the document promises no value. Left out: no body is asserted. */
  readonly reply?: object;
  /** The rules that the request breaks, and is refused for. */
  readonly breaks?: readonly string[];
}

/** Says how a client is asked to do one thing, and what must come of it; run within a test. */
export type Play = (interaction: Interaction, ask: (client: Client) => Promise<void>) => Promise<void>;

/** The interactions of a consumer with a provider, which are written to one file. */
export function contract(consumer: string, provider: string): Play {
  const pact = new PactV4({ consumer, provider, dir: pactsFolder(), logLevel: 'error' });
  return async (interaction, ask) => {
    const { receiving, given, as, asked, status, reply } = interaction;
    const { method, path, query, body } = asked;
    const told = given.reduce((so, [name, params]) => so.given(name, params), pact.addInteraction());
    await told
      .uponReceiving(receiving)
      .withRequest(method, path, request => {
        if (query !== undefined) request.query({ ...query });
        if (as !== undefined) request.headers({ Authorization: authorization(as) });
        if (body !== undefined) request.headers({ 'Content-Type': 'application/json' }).jsonBody(body);
      })
      .willRespondWith(status, response => {
        if (reply !== undefined) response.jsonBody(reply);
      })
      .executeTest(async ({ url }) => {
        const server = connection(url);
        const sent: HttpRequest[] = [];
        const send = (request: HttpRequest) => {
          sent.push(request);
          return server.send(request);
        };
        try {
          await ask(clientFor(send, as));
        } finally {
          server.close();
        }
        for (const request of sent) holdAgainstDocument(interaction, request);
      });
  };
}

/** The document must say all that the interaction says. What a matcher leaves open is not asserted. */
function holdAgainstDocument({ status, reply, breaks = [] }: Interaction, request: HttpRequest): void {
  const { operation, findings } = checkRequest(request);
  expect(
    findings.map(finding => finding.rule ?? showFinding(finding)),
    'what the document has against the request',
  ).to.deep.equal(breaks);
  if (operation === undefined) throw new Error(`${request.method} ${request.path} is no operation`);
  const givenFor = typeof status === 'number' ? documentedStatuses(operation).get(status) : [];
  expect(givenFor ?? [], 'the rules that give the status').to.include.members([...breaks]);
  const expected = {
    ...(typeof status === 'number' && { status }),
    headers: reply === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(reply !== undefined && { body: Matchers.reify(reply) }),
  };
  expect(checkExpectation(operation, expected).map(showFinding), 'what it does not promise').to.deep.equal([]);
}
