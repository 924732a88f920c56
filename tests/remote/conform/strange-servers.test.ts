// Servers that are something else altogether get sane verdicts, in limited time and without a crash.
import { expect } from 'chai';
import { playSuite } from '../../../server/remote/conform/play-suite.js';
import { ruleIds } from '../../../server/remote/conform/suite.js';
import { verdictsOn } from '../../../server/remote/conform/verdicts.js';
import { type Received, type Target, Unreachable } from '../../../server/scenario/play/target.js';
import { conformed, type Prepared, prepared, RUN, rulesThat } from '../../support/other-servers/conforming.js';
import { asForeign, fakeUnder, silent } from '../../support/other-servers/outside.js';

function answering(status: number, text: string, type = 'application/json'): Target {
  const answer: Received = { status, headers: { 'content-type': type }, text };
  return { url: 'http://127.0.0.1:8080', context: '', send: async () => answer, close: async () => {} };
}

describe('a server that is something else', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });

  /** The verdict of the suite if nothing was found out before. */
  const unknown = async (target: Target) => {
    const run = await playSuite(plan.suite, { target, names: plan.names, known: {}, run: RUN });
    return { run, verdicts: verdictsOn(ruleIds, run.files, 'admin') };
  };

  it('and answers {} to everything contradicts the rules with a specific response', async () => {
    const found = await conformed(answering(200, '{}'), plan);
    expect(rulesThat('contradicts', found)).to.include.members([
      'address.case-sensitive',
      'ppf.authenticated',
      'ppf.admin-only',
      'ppf.invalid-is-400',
      'ppf.processed-is-200',
    ]);
    expect(rulesThat('contradicts', found)).not.to.include.members(['permissions.edit-add']);
  });

  it('and answers 404 to everything is reported as none of these servers', async () => {
    let problem: unknown;
    await conformed(answering(404, ''), plan).catch(error => {
      problem = error;
    });
    expect(problem).to.be.instanceOf(Unreachable);
    const { verdicts } = await unknown(answering(404, ''));
    const reasons = new Set(verdicts.flatMap(({ reasons }) => reasons[0] ?? ''));
    expect(verdicts.every(({ judgement }) => judgement === 'undetermined')).to.equal(true);
    expect([...reasons]).to.include.members([
      'this server does not serve the wiki extension',
      'this server does not serve push and pull',
    ]);
  });

  it('and answers with a web page is reported as such', async () => {
    const { verdicts } = await unknown(answering(200, '<html><body>Log in</body></html>', 'text/html'));
    const processed = verdicts.find(({ rule }) => rule === 'ppf.processed-is-200');
    expect(processed?.judgement).to.equal('contradicts');
    expect(processed?.evidence[0]?.played.differences.map(({ of }) => of)).to.deep.equal(['body']);
  });

  it('and hangs up is given up soon', async () => {
    let asked = 0;
    const { run, verdicts } = await unknown({
      ...answering(200, ''),
      send: async () => {
        asked += 1;
        throw new Unreachable('http://127.0.0.1:8080 does not answer: the connection closes without an answer');
      },
    });
    expect(run.ended).to.be.instanceOf(Unreachable);
    expect(asked).to.be.below(64); // eight probes at a time, each of which checks whether the server is there
    expect(verdicts.every(({ judgement }) => judgement === 'undetermined')).to.equal(true);
  });

  it('and hangs up now and then is judged by its responses', async () => {
    const fake = await fakeUnder({}, silent);
    const { send, ...rest } = asForeign(fake);
    let asked = 0;
    const found = await unknown({
      ...rest,
      send: request => {
        asked += 1;
        if (asked % 97 === 0) throw new Unreachable('the connection closes without an answer');
        return send(request);
      },
    });
    fake.end();
    expect(found.run.ended).to.equal(undefined);
    expect(found.verdicts.filter(({ judgement }) => judgement === 'contradicts')).to.deep.equal([]);
    expect(found.verdicts.flatMap(({ reasons }) => reasons).join('\n')).to.include('the server gave no answer to');
  });

  it('and is a tracker that does not serve push and pull lacks their address', async () => {
    const fake = await fakeUnder({}, silent);
    const { send, ...rest } = asForeign(fake);
    const found = await conformed(
      {
        ...rest,
        send: async request =>
          request.path.includes('cwx-ppf') ? { status: 404, headers: {}, text: '' } : send(request),
      },
      plan,
    );
    fake.end();
    expect(rulesThat('contradicts', found)).to.deep.equal(['address.ppf-path']);
  });

  it('and refuses a user with 401 whom the tracker lets in gives the wrong status', async () => {
    const fake = await fakeUnder({}, silent);
    const { send, ...rest } = asForeign(fake);
    const found = await conformed(
      {
        ...rest,
        send: async request => {
          const answer = await send(request);
          const isOther = !request.headers.Authorization?.startsWith(`Basic ${btoa('admin:')}`.slice(0, 12));
          return request.path.includes('cwx-ppf') && answer.status === 403 && isOther
            ? { ...answer, status: 401 }
            : answer;
        },
      },
      plan,
    );
    fake.end();
    expect(rulesThat('contradicts', found)).to.deep.equal(['ppf.admin-only']);
  });

  it('and serves only the wiki is judged by that half', async () => {
    const fake = await fakeUnder({}, silent);
    const { send, ...rest } = asForeign(fake);
    const found = await conformed(
      {
        ...rest,
        send: async request =>
          /cwx-ppf|rest\/api\/2/.test(request.path) ? { status: 404, headers: {}, text: '' } : send(request),
      },
      plan,
    );
    fake.end();
    expect(rulesThat('contradicts', found)).to.deep.equal([]);
    expect(rulesThat('conforms', found)).to.include.members(['spaces.copy', 'spaces.is-unique', 'groups.body']);
    for (const { rule, judgement, reasons } of found.verdicts)
      if (rule.startsWith('ppf.') && rule !== 'ppf.licensed-only')
        expect([judgement, reasons[0]], rule).to.deep.equal([
          'undetermined',
          'this server does not serve push and pull',
        ]);
  });

  it('and has another password is reported as such', async () => {
    const { verdicts } = await unknown(answering(401, '{}'));
    const [first] = verdicts.find(({ rule }) => rule === 'groups.add-users')?.reasons ?? [];
    expect(first).to.equal('this server answers 401 to admin, whatever is asked: is the password right?');
    expect(verdicts.filter(({ judgement }) => judgement === 'contradicts')).to.deep.equal([]);
  });
});
