// A pact file of any version of the specification and from any language, or everything that is wrong with it and where.
// Knows neither where the text comes from nor which providers there are.
import { isObject } from '../../domain/form/patch.js';
import { nearestName } from '../../engine/nearest.js';
import { found } from '../../engine/request/validate.js';
import type { Brokered, Contract, Interaction, Json, UnreadableInteraction } from '../contract.js';
import { type JsonText, parseJson } from './json-text.js';
import { isMessage, ONLY_HTTP, readInteraction } from './read-interaction.js';

/** What is wrong, one sentence each, with the place: `pacts/web.json:12:5: …`. */
export interface NoPact {
  readonly problems: readonly string[];
}

/** `source`: as people are told it. With `broker` no lines are given: nobody has that text before them. */
export function readPact(text: string, source: string, broker?: Brokered): Contract | NoPact {
  const parsed = parseJson(text);
  if ('flaw' in parsed) {
    const { line, column, says } = parsed.flaw;
    const empty = text.trim() === '' ? 'the file is empty' : says;
    return { problems: [`${source}:${line}:${column}: This is no JSON: ${empty}.`] };
  }
  const { value } = parsed;
  if (!isObject(value))
    return { problems: [`${source}: This is JSON but no pact: a pact is an object, and this is ${found(value)}.`] };
  return new Reading(value, parsed, source, broker).contract();
}

/** The reading of one file: problems are gathered as they are found. */
class Reading {
  readonly #problems: string[] = [];
  readonly #unreadable: UnreadableInteraction[] = [];
  readonly #notices: string[] = [];

  constructor(
    private readonly document: Json,
    private readonly text: JsonText,
    private readonly source: string,
    private readonly broker: Brokered | undefined,
  ) {}

  contract(): Contract | NoPact {
    const { document, source, broker } = this;
    const { messages: _, ...others } = document; // what is left of them has been told
    const lacking = ['consumer', 'provider', 'interactions'].filter(key => document[key] === undefined);
    const isMessages = Array.isArray(document.messages) && document.interactions === undefined;
    const missing = isMessages ? lacking.filter(key => key !== 'interactions') : lacking;
    if (missing.length > 0) return { problems: [`${source}: This is JSON but no pact: ${this.#without(missing)}.`] };
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

  #tell(pointer: string, says: string): void {
    this.#problems.push(this.#placed(pointer, says));
  }

  #placed(pointer: string, says: string): string {
    const { line, column } = this.text.placeOf(pointer);
    return `${this.source}:${line}:${column}: ${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
  }

  #without(missing: readonly string[]): string {
    const told = missing.map(key => {
      const like = nearestName(key, Object.keys(this.document));
      return like === undefined ? key : `${key} but ${JSON.stringify(like)}`;
    });
    return `it has no ${told.join(', no ')}`;
  }

  #name(of: 'consumer' | 'provider'): string {
    const party = this.document[of];
    const name = isObject(party) ? party.name : undefined;
    if (typeof name === 'string' && name.trim() !== '') return name;
    const is = isObject(party)
      ? `has ${name === undefined ? 'no name' : `for its name ${found(name)}`}`
      : `is ${found(party)}`;
    this.#tell(`/${of}`, `the ${of} ${is}: it takes {"name": …}`);
    return '';
  }

  /** As the file says it, wherever the libraries of the years have put it. */
  #version(): string | undefined {
    const { metadata } = this.document;
    if (!isObject(metadata)) return undefined;
    for (const key of ['pactSpecification', 'pact-specification', 'pactSpecificationVersion']) {
      const told = metadata[key];
      const version = isObject(told) ? told.version : told;
      if (typeof version !== 'string' && typeof version !== 'number') continue;
      if (!/^v?[1-4](?:\.\d+){0,2}$/.test(String(version)))
        this.#tell(
          `/metadata/${key}`,
          `this names version ${version} of Pact's specification: it takes 1, 1.1, 2, 3 or 4`,
        );
      return String(version);
    }
    return undefined;
  }

  /** What is in the file besides HTTP. */
  #refuseOthers(): void {
    const { messages, metadata } = this.document;
    const { interactions } = this.document;
    if (Array.isArray(messages) && messages.length > 0 && Array.isArray(interactions) && interactions.length > 0)
      this.#leaveOut(messages);
    else if (Array.isArray(messages) && messages.length > 0)
      this.#tell('/messages', `this is a pact about messages (${messages.length}): ${ONLY_HTTP}`);
    const plugins = isObject(metadata) && Array.isArray(metadata.plugins) ? metadata.plugins : [];
    if (plugins.length === 0) return;
    const names = plugins.map((plugin: unknown) => (isObject(plugin) ? String(plugin.name) : found(plugin)));
    this.#tell('/metadata/plugins', `this pact needs plugins of Pact (${names.join(', ')}): none is used here`);
  }

  #interactions(isV4: boolean): Interaction[] {
    const { interactions = [] } = this.document;
    if (!Array.isArray(interactions)) {
      this.#tell('/interactions', `the interactions are ${found(interactions)}: they take a list`);
      return [];
    }
    const isMixed = isV4 && interactions.some(isMessage) && !interactions.every(isMessage);
    if (isMixed) this.#leaveOut(interactions.filter(isMessage));
    return interactions.flatMap((written: unknown, i) => {
      if (isMixed && isMessage(written)) return [];
      const read = readInteraction(written, isV4);
      const pointer = `/interactions/${i}`;
      if (!('flaws' in read)) return [this.#withLine(read, pointer)];
      const told = isObject(written) ? written.description : undefined;
      const label = typeof told === 'string' ? JSON.stringify(told) : `number ${i + 1}`;
      const problems = read.flaws.map(flaw =>
        this.#placed(`${pointer}${flaw.pointer}`, `interaction ${label}: ${flaw.says}`),
      );
      const description = typeof told === 'string' ? told : label;
      const { line } = this.text.placeOf(`${pointer}/description`);
      this.#unreadable.push({ description, problems, ...(this.broker === undefined && { line }) });
      return [];
    });
  }

  /** Messages beside HTTP. */
  #leaveOut(messages: readonly unknown[]): void {
    const names = messages.map(message => JSON.stringify(isObject(message) ? message.description : message));
    const which = names.length === 1 ? 'a message is left out' : `${names.length} messages are left out`;
    this.#notices.push(`${this.source}: ${which}, since these APIs speak HTTP alone: ${names.join(', ')}.`);
  }

  #withLine(interaction: Interaction, pointer: string): Interaction {
    if (this.broker !== undefined) return interaction;
    return { ...interaction, line: this.text.placeOf(`${pointer}/description`).line };
  }
}
