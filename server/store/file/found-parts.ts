// The existing parts at the opening of a folder: each is read once and checked against its digest.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, Unreadable } from './disk/file-error.js';
import { fileOfPart, finished, PARTS, partOf } from './file-names.js';
import { digestOf, type Part } from './part-files.js';

export class FoundParts {
  readonly #folder: string;
  readonly #texts = new Map<string, string>();
  /** Parts that a line refers to, by name. */
  readonly found = new Map<string, Part>();

  constructor(folder: string) {
    this.#folder = join(folder, PARTS);
  }

  /** The text of a part. Throws `Unreadable` if it is missing or changed. */
  readonly text = (name: string, digest: string): string => {
    const text = this.#texts.get(name) ?? this.#read(name);
    const part = this.found.get(name) ?? { digest: digestOf(text), bytes: Buffer.byteLength(text) };
    if (part.digest !== digest)
      throw new Unreadable(`its part ${name} is not what it was: ${this.#pathOf(name)} has the SHA-256 ${part.digest}`);
    this.#texts.set(name, text);
    this.found.set(name, part);
    return text;
  };

  /** The files that no line refers to. */
  unused(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter(file => {
        const part = partOf(file);
        return part === undefined ? partOf(finished(file) ?? '') !== undefined : !this.found.has(part);
      })
      .map(file => join(this.#folder, file));
  }

  #read(name: string): string {
    try {
      return readFileSync(this.#pathOf(name), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT')
        throw new Unreadable(`its part ${name} is missing: there is no ${this.#pathOf(name)}`);
      throw error;
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, fileOfPart(name));
  }
}
