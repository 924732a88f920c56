// The half of a held sandbox that looks at what it is and was asked: description, journal, verify, explain. Straight from the session, as everything but operations.

import { type ToldEntry, tellEntry } from '../engine/journal/entry-view.js';
import { type Explanation, explain } from '../engine/journal/explain.js';
import { type Description, describe } from '../engine/sandbox/describe.js';
import type { Sandbox } from '../engine/sandbox/sandbox.js';
import type { SomeReadings } from '../operations/gaps.js';
import { packageVersion } from '../package.js';
import { BudgetExceeded } from '../scenario/format/budget.js';
import type { Capsule } from '../scenario/recording/capsule-format.js';
import { seal } from '../scenario/recording/seal.js';
import { type Wish as PlainWish, wishFlaws } from '../scenario/verify/request-pattern.js';
import { callersIn, type Verdict, type Verified, verdictLines, verify } from '../scenario/verify/verify-requests.js';
import type { EntryFilter, Wish } from './api.js';
import { checkFilter } from './entry-filter.js';
import { FakeError } from './fake-error.js';
import { chosenOf, readingProblems } from './options.js';
import { possible, TravellingSandbox } from './travelling.js';

export abstract class InquiringSandbox extends TravellingSandbox {
  async journal(filter: EntryFilter = {}): Promise<readonly ToldEntry[]> {
    checkFilter(filter);
    const live = await this.live();
    return live.journal.entries(filter).map(entry => tellEntry(entry, live));
  }

  async clearJournal(): Promise<void> {
    await this.inside.assembled.session.clearJournal(await this.live());
  }

  async describe(): Promise<Description> {
    return describe(await this.live(), this.inside.assembled.session.settings.machineTime());
  }

  async verify(wish: Wish): Promise<Verified> {
    const given: unknown = JSON.parse(JSON.stringify(wish)); // as it would come over HTTP
    const verdict = await verdictOn(await this.live(), given);
    const { holds, ...verified } = verdict;
    if (verdict.holds) return verified;
    const [says = '', ...lines] = verdictLines(verdict);
    const problems = lines.length > 0 ? lines : ['The journal has nothing like it.'];
    throw new FakeError(
      says.replace(/\.$/, ''),
      problems.map(message => ({ message })),
      { cause: verified },
    );
  }

  async explain(entry: number, readings?: SomeReadings): Promise<Explanation> {
    const problems = readings === undefined ? [] : readingProblems(readings, '');
    if (problems.length > 0) throw new FakeError('There are no such readings', problems);
    const found = await explain(await this.live(), entry, readings && chosenOf(readings));
    return possible('The entry cannot be explained', found);
  }

  async capsule(): Promise<Capsule> {
    const live = await this.live();
    return seal(live, packageVersion(), this.inside.assembled.session.settings.machineTime());
  }
}

/** What takes too much work is neither true nor false. */
async function verdictOn(live: Sandbox, given: unknown): Promise<Verdict> {
  try {
    const flaws = wishFlaws(given, callersIn(live));
    if (flaws.length > 0) throw new FakeError('There can be no such requests', flaws);
    return await verify(live, given as PlainWish); // it has no flaws
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    throw new FakeError('It was not verified', [{ message: `What is wished ${error.message}.` }]);
  }
}
