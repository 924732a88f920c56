// The settings of a server: those that follow from the table of flags, and those that only programs set.

import type { FeedLimits } from '../engine/events/feeds.js';
import type { StreamSettings } from '../engine/events/stream-settings.js';
import { checkReadings } from '../engine/request/readings.js';
import type { ForwardSettings } from '../http/forwarding/forward-settings.js';
import type { SomeReadings } from '../operations/gaps/gaps.js';
import { isProfileName, type ProfileName, type ReadingChoice } from '../operations/gaps/profiles.js';
import { withoutEndingSlashes } from '../outgoing/parsed-url.js';
import type { TlsOptions } from '../outgoing/tls-options.js';
import { type Wrong, withHome } from './flag-checks.js';
import { type Flag, type FlagSettings, pairOf, settingFlags } from './serve-flags.js';

export interface Settings extends FlagSettings {
  readonly scenario: string;
  /** Default: `lenient`. */
  readonly profile?: ProfileName;
  readonly readings: SomeReadings;
  /** Client certificate and CA for the fallback. Not a flag: commands have them for all their requests. */
  readonly fallbackTls?: TlsOptions;
  /** Forwarding for `cwx-fake proxy`, and variations for `cwx-fake sensitivity`. Not flags. */
  readonly forward?: ForwardSettings;
  readonly vary?: readonly string[];
  /** Readings that a program has chosen. Not a flag. */
  readonly pinned?: SomeReadings;
  /** Limits of event readers, if not the usual ones. Not a flag. */
  readonly events?: Partial<FeedLimits & StreamSettings>;
}

/** Values of flags as given: text, a list of texts, or `true` for a switch. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export const DEFAULT_SCENARIO = 'small-team';

/** Settings from checked values; `file`: the readings of `--readings`, below `--profile` and `--reading`. */
export function settingsFrom(scenario: string | undefined, values: FlagValues, file: ReadingChoice = {}): Settings {
  const { baseUrl, ...derived } = Object.fromEntries(
    settingFlags.flatMap(flag => {
      const value = settingOf(flag, values[flag.name]);
      return value === undefined ? [] : [[flag.setting, value]];
    }),
  );
  const { profile = file.profile } = values;
  return {
    ...(derived as unknown as Settings), // each member is a flag's, whose values have been checked
    scenario: scenario ?? DEFAULT_SCENARIO,
    store: withHome(String(derived.store)),
    ...(isProfileName(profile) && { profile }),
    readings: { ...file.readings, ...readingsOf(values.reading) },
    ...(baseUrl !== undefined && { baseUrl: withoutEndingSlashes(String(baseUrl)) }),
  };
}

/** A value of a flag as a setting; `undefined`: neither given nor by default. */
function settingOf(flag: Flag, given: FlagValues[string] = flag.default): unknown {
  if (flag.value === undefined) return (given === true) !== isNegative(flag);
  if (flag.repeatable) return listOf(given);
  if (given === undefined) return undefined;
  const text = String(given);
  return flag.isNumber ? Number(text) : (flag.choices?.[text] ?? text);
}

/** The value of a flag for a setting. */
export function flagValue(flag: Flag, setting: unknown): FlagValues[string] {
  const { value, choices } = flag;
  if (value === undefined) return setting !== isNegative(flag);
  if (choices !== undefined) return Object.keys(choices).find(name => choices[name] === setting);
  return Array.isArray(setting) ? setting.map(String) : String(setting);
}

/** Whether it switches a setting off. */
function isNegative({ name }: Flag): boolean {
  return name.startsWith('no-');
}

/** The values of a repeatable flag. */
export function listOf(value: FlagValues[string]): readonly string[] {
  return Array.isArray(value) ? value : value === undefined || typeof value === 'boolean' ? [] : [String(value)];
}

function readingsOf(value: FlagValues[string]): SomeReadings {
  const checked = checkReadings(listOf(value).map(pairOf));
  return 'problem' in checked ? {} : checked.readings; // each has been checked with its flag
}

/** The values of a flag as its parser reads them. */
export function parsedBy<T extends object>(parse: (text: string) => T | Wrong, value: FlagValues[string]): T[] {
  return listOf(value).flatMap(text => {
    const parsed = parse(text);
    return 'problem' in parsed ? [] : [parsed];
  });
}

/** The texts of flags, by the name of an option for each flag. Flags that are not given are absent. */
export function textsOf<K extends string>(
  values: FlagValues,
  flags: Readonly<Record<K, string>>,
): { readonly [Option in K]?: string } {
  const texts = Object.entries<string>(flags).map(([option, name]) => [option, values[name]] as const);
  return Object.fromEntries(texts.filter(([, text]) => typeof text === 'string')) as { [Option in K]?: string }; // its keys
}

/** The first contradiction, if any, with its option. */
export function clashIn({
  control,
  controlToken,
  store: where,
  fsync,
  tlsCert,
  tlsKey,
  open,
}: Settings): { readonly option: string; readonly message: string } | undefined {
  if (fsync && !where.startsWith('file:'))
    return {
      option: 'fsync',
      message: '--fsync requires --store file:<dir>: add that flag, or omit --fsync',
    };
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    return {
      option: tlsCert === undefined ? 'tlsCert' : 'tlsKey',
      message: '--tls-cert and --tls-key must be given together',
    };
  if (open && control === false)
    return { option: 'open', message: 'the dashboard requires the control API, which --control off turns off' };
  if (control !== 'open' || controlToken === undefined) return undefined;
  return {
    option: 'control',
    message: '--control open cannot be combined with --control-token',
  };
}
