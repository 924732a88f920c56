// Reads a pact file of any version of the specification and from any language, or reports all errors with their places.
import { isObject } from '../../../server/domain/form/patch.js';
import { andList, nearestName } from '../../../server/engine/nearest.js';
import { found } from '../../../server/engine/request/validate.js';
import { type JsonText, parseJson } from '../../../server/scenario/yaml/json-text.js';
import type { Brokered, Contract, Interaction, Json, UnreadableInteraction } from '../contract/contract.js';
import { isMessage, ONLY_HTTP, readInteraction } from './read-interaction.js';

/** Errors, one sentence each, with the place: `pacts/web.json:12:5: …`. */
export interface NoPact {
  readonly problems: readonly string[];
}

/** `source`: its name in messages. With `broker` messages give no lines, because users do not see that text. */
export function readPact(text: string, source: string, broker?: Brokered): Contract | NoPact {
  const parsed = parseJson(text);
  if ('error' in parsed) {
    const { line, column, message } = parsed.error;
    const empty = text.trim() === '' ? 'the file is empty' : message;
    return { problems: [`${source}:${line}:${column}: Invalid JSON: ${empty}.`] };
  }
  const { value } = parsed;
  if (!isObject(value)) return { problems: [`${source}: Not a pact: expected an object, found ${found(value)}.`] };
  return new Reading(value, parsed, source, broker).contract();
}

/** Reads one file and collects its errors. */
class Reading {
  readonly #problems: string[] = [];
  readonly #unreadable: UnreadableInteraction[] = [];
  readonly #notices: string[];

  constructor(
    private readonly document: Json,
    private readonly text: JsonText,
    private readonly source: string,
    private readonly broker: Brokered | undefined,
  ) {
    this.#notices = text.repeated.map(
      ({ name, line, column }) =>
        `${source}:${line}:${column}: Duplicate key ${JSON.stringify(name)}: only its last value is used.`,
    );
  }

  contract(): Contract | NoPact {
    const { document, source, broker } = this;
    const { messages: _, ...others } = document; // the errors were reported
    const lacking = ['consumer', 'provider', 'interactions'].filter(key => document[key] === undefined);
    const isMessages = Array.isArray(document.messages) && document.interactions === undefined;
    const missing = isMessages ? lacking.filter(key => key !== 'interactions') : lacking;
    if (missing.length > 0) return { problems: [`${source}: Not a pact: ${this.#without(missing)}.`] };
    const consumer = this.#name('consumer');
    const provider = this.#name('provider');
    const version = this.#version();
    this.#refuseOthers();
    const interactions = this.#interactions(/^v?4/.test(version ?? ''));
    if (interactions.length === 0) this.#problems.push(...this.#unreadable.flatMap(({ problems }) => problems));
    if (this.#problems.length > 0) return { problems: this.#problems };
    return {
      consumer,
      provider,
      ...(version !== undefined && { version }),
      source,
      interactions,
      unreadable: this.#unreadable,
      notices: this.#notices,
      document: others,
      ...(broker !== undefined && { broker }),
    };
  }

  #report(pointer: string, says: string): void {
    this.#problems.push(this.#placed(pointer, says));
  }

  #placed(pointer: string, says: string): string {
    const { line, column } = this.text.placeOf(pointer);
    return `${this.source}:${line}:${column}: ${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
  }

  #without(missing: readonly string[]): string {
    const texts = missing.map(key => {
      const like = nearestName(key, Object.keys(this.document));
      return `no ${key}${like === undefined ? '' : ` but ${JSON.stringify(like)}`}`;
    });
    return `it has ${andList(texts)}`;
  }

  #name(of: 'consumer' | 'provider'): string {
    const party = this.document[of];
    const name = isObject(party) ? party.name : undefined;
    if (typeof name === 'string' && name.trim() !== '') return name;
    const is = isObject(party)
      ? `has ${name === undefined ? 'no name' : `for its name ${found(name)}`}`
      : `is ${found(party)}`;
    this.#report(`/${of}`, `the ${of} ${is}: expected {"name": …}`);
    return '';
  }

  /** The version as written, in any of the places that Pact libraries have used. */
  #version(): string | undefined {
    const { metadata } = this.document;
    if (!isObject(metadata)) return undefined;
    for (const key of ['pactSpecification', 'pact-specification', 'pactSpecificationVersion']) {
      const entry = metadata[key];
      const version = isObject(entry) ? entry.version : entry;
      if (typeof version !== 'string' && typeof version !== 'number') continue;
      if (!/^v?[1-4](?:\.\d+){0,2}$/.test(String(version)))
        this.#report(
          `/metadata/${key}`,
          `unknown version ${version} of the Pact specification: it must be 1, 1.1, 2, 3 or 4`,
        );
      return String(version);
    }
    return undefined;
  }

  /** Contents other than HTTP. */
  #refuseOthers(): void {
    const { messages, metadata, interactions } = this.document;
    if (Array.isArray(messages) && messages.length > 0 && Array.isArray(interactions) && interactions.length > 0)
      this.#leaveOut(messages);
    else if (Array.isArray(messages) && messages.length > 0)
      this.#report('/messages', `this is a message pact (${messages.length}): ${ONLY_HTTP}`);
    const plugins = isObject(metadata) && Array.isArray(metadata.plugins) ? metadata.plugins : [];
    if (plugins.length === 0) return;
    const names = plugins.map((plugin: unknown) => (isObject(plugin) ? String(plugin.name) : found(plugin)));
    this.#report('/metadata/plugins', `this pact needs Pact plugins (${names.join(', ')}), which are not supported`);
  }

  #interactions(isV4: boolean): Interaction[] {
    const { interactions = [] } = this.document;
    if (!Array.isArray(interactions)) {
      this.#report('/interactions', `the interactions are ${found(interactions)}: expected a list`);
      return [];
    }
    const isMixed = isV4 && interactions.some(isMessage) && !interactions.every(isMessage);
    if (isMixed) this.#leaveOut(interactions.filter(isMessage));
    return interactions.flatMap((written: unknown, i) => {
      if (isMixed && isMessage(written)) return [];
      const read = readInteraction(written, isV4);
      const pointer = `/interactions/${i}`;
      const { line } = this.text.placeOf(`${pointer}/description`);
      const place = this.broker === undefined ? { line } : {};
      if (!('errors' in read)) return [{ ...read, ...place }];
      const text = isObject(written) ? written.description : undefined;
      const label = typeof text === 'string' ? JSON.stringify(text) : `number ${i + 1}`;
      const problems = read.errors.map(error =>
        this.#placed(`${pointer}${error.pointer ?? ''}`, `interaction ${label}: ${error.message}`),
      );
      const description = typeof text === 'string' ? text : label;
      this.#unreadable.push({ description, problems, ...place });
      return [];
    });
  }

  /** Messages in a pact that has HTTP interactions too. */
  #leaveOut(messages: readonly unknown[]): void {
    const names = messages.map(message => JSON.stringify(isObject(message) ? message.description : message));
    const which = names.length === 1 ? 'a message is skipped' : `${names.length} messages are skipped`;
    this.#notices.push(`${this.source}: ${which}, because these APIs use only HTTP: ${names.join(', ')}.`);
  }
}
