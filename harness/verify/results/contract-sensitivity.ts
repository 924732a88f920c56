// How a client depends on readings, gap by gap: the trials of its interactions combined.
import { counted } from '../../../server/derive/text/counted.js';
import { visible } from '../../../server/derive/text/visible.js';
import { type GapId, gapIds, readingNames } from '../../../server/operations/gaps/gaps.js';
import type { Contract } from '../contract/contract.js';
import type { Verdict } from '../contract/verdict.js';
import { addressBreaks } from '../judging/address-reliance.js';
import { interactionName } from './render-interaction.js';
import { byContract, type ContractVerdicts } from './totals.js';
import type { SensitivityReport } from './verification-format.js';

/** One for each contract. */
export function sensitivities(verdicts: readonly Verdict[]): readonly SensitivityReport[] {
  const all = byContract(verdicts);
  return all.map(one => {
    const { consumer, provider, source } = one.contract;
    const name = clientName(
      one.contract,
      all.map(({ contract }) => contract),
    );
    const found = sensitivityOf(one);
    return { consumer, provider, source, name, ...found, says: conclusion(name, found) };
  });
}

type Found = Omit<SensitivityReport, 'consumer' | 'provider' | 'source' | 'name' | 'says'>;

function sensitivityOf({ verdicts }: ContractVerdicts): Found {
  const neverPasses = verdicts.filter(
    ({ outcome, trials, pairs = [] }) => outcome !== 'passed' && ![...trials, ...pairs].some(({ passes }) => passes),
  );
  const table = gapIds.flatMap(gap => rowsOf(gap, verdicts));
  const addresses = addressBreaks(verdicts);
  const pairs = verdicts.flatMap(verdict =>
    (verdict.pairs ?? []).map(pair => ({ interaction: shortName(verdict), pair })),
  );
  const pairOnlyFindings = pairs.filter(({ pair }) => pair.isPairOnly);
  const isBroken = table.some(({ breaks }) => breaks.length > 0);
  return {
    passesUnderAll: !isBroken && neverPasses.length + addresses.length + pairOnlyFindings.length === 0,
    table,
    addresses,
    trials: verdicts.reduce((sum, { trials, addresses: others }) => sum + trials.length + others.length, 0),
    pairs: pairs.length,
    pairOnlyFindings,
    neverPasses: neverPasses.map(shortName),
  };
}

/** Interactions that fail under all readings of the gap are left out: it has nothing to do with their failure. */
function rowsOf(gap: GapId, verdicts: readonly Verdict[]): SensitivityReport['table'] {
  const results = verdicts.flatMap(verdict => {
    const trials = verdict.trials.filter(trial => trial.gap === gap);
    const isPassed = verdict.outcome === 'passed';
    if (!trials.some(({ passes }) => isPassed || passes)) return [];
    const [difference] = verdict.differences;
    const chosen = { reading: verdict.gaps[gap] ?? '', passes: isPassed, difference, isChosen: true };
    const others = trials.map(trial => ({ ...trial, isChosen: false }));
    return [chosen, ...others].map(result => ({ ...result, interaction: shortName(verdict) }));
  });
  const readings = new Set([...readingNames(gap), ...results.map(({ reading }) => reading)]);
  return [...readings].flatMap(reading => {
    const tried = results.filter(result => result.reading === reading);
    if (tried.length === 0) return [];
    const breaks = tried
      .filter(({ passes }) => !passes)
      .map(({ interaction, difference }) => ({ interaction, difference }));
    return [{ gap, reading, isChosen: tried.some(({ isChosen }) => isChosen), tried: tried.length, breaks }];
  });
}

/** `web passes under all 57 readings of the 12 gaps it touches: it relies on no guess.` */
function conclusion(name: string, one: Found): string {
  const says = conclusionOnGaps(name, one);
  const served = [...new Set(one.addresses.map(({ gap }) => gap))].join(' and ');
  if (served === '') return says;
  const where = `the base path of its provider (${served})`;
  if (says.endsWith(NO_GUESS)) return `${says.slice(0, -NO_GUESS.length)}it relies only on ${where}.`;
  return `${says} It also relies on ${where}.`;
}

const NO_GUESS = 'it relies on no guess.';

function conclusionOnGaps(name: string, { table, pairOnlyFindings, neverPasses }: Found): string {
  const gaps = new Set(table.map(({ gap }) => gap));
  const touched = gaps.size === 1 ? 'the gap' : `the ${gaps.size} gaps`;
  const all = `${counted(table.length, 'reading')} of ${touched} it touches`;
  const breaking = table.filter(({ breaks }) => breaks.length > 0);
  const decisive = [...new Set(breaking.map(({ gap }) => gap))].join(', ');
  const few = gaps.size === 1 ? counted(table.length, 'reading') : all;
  if (breaking.length > 0) return `${name} relies on ${decisive}: it fails under ${breaking.length} of the ${few}.`;
  if (pairOnlyFindings.length > 0) return `${name} fails only if the readings of two gaps change at once.`;
  const pass = neverPasses.length === 1 ? 'passes' : 'pass';
  if (neverPasses.length > 0)
    return `${name} has ${counted(neverPasses.length, 'interaction')} that never ${pass}, whatever the reading; the others rely on no guess.`;
  return gaps.size === 0 ? `${name} touches no gap: ${NO_GUESS}` : `${name} passes under all ${all}: ${NO_GUESS}`;
}

/** With its states only if several interactions have the same description. */
function shortName(verdict: Verdict): string {
  const { contract, interaction } = verdict;
  const isAlone = contract.interactions.filter(({ description }) => description === interaction.description).length < 2;
  return isAlone ? visible(interaction.description) : interactionName(verdict);
}

/** The client, with its provider if it has contracts with several. */
function clientName(contract: Contract, all: readonly Contract[]): string {
  const others = all.filter(other => other !== contract && other.consumer === contract.consumer);
  if (others.length === 0) return visible(contract.consumer);
  const isSame = others.some(({ provider }) => provider === contract.provider);
  return visible(`${contract.consumer} → ${contract.provider}${isSame ? ` (${contract.source})` : ''}`);
}
