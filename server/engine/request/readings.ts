// Parses readings and profiles as users write them, checks them against the ledger, and suggests the nearest names.
import { gapIds, gapSpec, isGapId, isReading, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import { isProfileName, profileNames } from '../../operations/gaps/profiles.js';
import { expectedOf, nearest } from '../nearest.js';
import { found } from './validate.js';

type ParsedReadings = { readonly readings: SomeReadings } | { readonly problem: string };

/** Parses `gap=value, gap=value`. */
export function parseReadings(text: string): ParsedReadings {
  const pairs: Array<readonly [string, string]> = [];
  for (const part of text.split(',').map(piece => piece.trim())) {
    if (part === '') continue;
    const at = part.indexOf('=');
    if (at === -1)
      return { problem: `${JSON.stringify(part)} is not a reading: expected gap=value, as in unknown-user=400.` };
    pairs.push([part.slice(0, at).trim(), part.slice(at + 1).trim()]);
  }
  return checkReadings(pairs);
}

export function checkReadings(pairs: Iterable<readonly [gap: string, value: unknown]>): ParsedReadings {
  const readings = new Map<string, string>();
  for (const [gap, value] of pairs) {
    const text = textOf(value);
    const problem = problemWith(gap, text);
    if (problem !== undefined) return { problem };
    readings.set(gap, text);
  }
  return { readings: Object.fromEntries(readings) as SomeReadings }; // each pair has been checked
}

/** The error of a profile's name, if any, as the end of a sentence. */
export function profileProblem(name: unknown): string | undefined {
  if (isProfileName(name)) return undefined;
  const meant = typeof name === 'string' ? nearest(name, profileNames) : '';
  return `${expectedOf(profileNames)}${meant}`;
}

/** A reading may be written as a number; other types are invalid. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : found(value);
}

function problemWith(gap: string, value: string): string | undefined {
  if (!isGapId(gap))
    return `Unknown gap ${JSON.stringify(gap)}${nearest(gap, gapIds) || '; cwx-fake ledger lists all gaps'}.`;
  if (isReading(gap, value)) return undefined;
  const { open } = gapSpec(gap);
  const allowed = expectedOf([...readingNames(gap), ...(open ? [open.form] : [])]);
  return `${gap} has no reading ${JSON.stringify(value)}${nearest(value, readingNames(gap))}: ${allowed}.`;
}
