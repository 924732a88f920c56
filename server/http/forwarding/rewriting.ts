// Rewrites another server's response, so that clients stay with this one: redirects, cookies, and links to its own address in texts.
import type { Headers } from '../../outgoing/outgoing.js';

/** Texts that may contain links. */
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript)\b)/i;

export function isRewritable({ 'content-type': type }: Headers): boolean {
  return TEXT.test(String(type));
}

export class Rewriting {
  readonly #target: URL;
  /** The forms of the target's URL in texts, and the same of this server's. */
  readonly #forms: ReadonlyMap<string, string>;
  readonly #pattern: RegExp;
  readonly #longest: number;

  /** `target`: base URL of the other server, `own`: the base URL that stands for it here; both without a trailing slash. */
  constructor(
    target: string,
    private readonly own: string,
  ) {
    this.#target = new URL(target);
    const base = `${this.#target.host}${this.#basePath}`;
    const urls = [`http://${base}`, `https://${base}`]; // a target behind TLS may not know its scheme
    const spellings = [(url: string) => url, (url: string) => url.replaceAll('/', '\\/'), encodeURIComponent];
    this.#forms = new Map(urls.flatMap(url => spellings.map(spell => [spell(url), spell(own)] as const)));
    const alternatives = [...this.#forms.keys()].map(form => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.#pattern = new RegExp(`(?:${alternatives.join('|')})(?![\\w.:-]|%3A)`, 'g');
    this.#longest = Math.max(...[...this.#forms.keys()].map(({ length }) => length)) + '%3A'.length;
  }

  /** The value of a response header, by its name in lower case. */
  header(name: string, value: string): string {
    if (name === 'set-cookie') return this.#cookie(value);
    if (name === 'location' || name === 'content-location') return this.#reference(value);
    return name === 'link' || name === 'refresh' ? this.#text(value) : value;
  }

  /** Where a redirect leads: a path below this server's base URL, unless it leads elsewhere. */
  destination(location: string): string {
    const value = this.#reference(location);
    const base = [this.own, this.#ownPath].find(one => value === one || value.startsWith(`${one}/`)) ?? '';
    return value.slice(base.length) || '/';
  }

  /** A text with links to this server, as it comes. */
  async *body(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let rest = '';
    for await (const chunk of source) {
      const { done, left } = this.#begun(rest + chunk.toString('latin1')); // each byte stays a character
      rest = left;
      yield Buffer.from(done, 'latin1');
    }
    yield Buffer.from(this.#text(rest), 'latin1');
  }

  /** The rewritten part of a text, and the end of it, where a link may be incomplete. */
  #begun(text: string): { readonly done: string; readonly left: string } {
    const limit = text.length - this.#longest;
    let [end, done] = [0, ''];
    for (const { 0: found, index } of text.matchAll(this.#pattern)) {
      if (index > limit) break;
      done += `${text.slice(end, index)}${this.#forms.get(found)}`;
      end = index + found.length;
    }
    const next = Math.max(end, limit);
    return { done: done + text.slice(end, next), left: text.slice(next) };
  }

  get #basePath(): string {
    return this.#target.pathname.replace(/\/$/, '');
  }

  get #ownPath(): string {
    return new URL(this.own).pathname.replace(/\/$/, '');
  }

  #text(text: string): string {
    return text.replace(this.#pattern, form => this.#forms.get(form) ?? form);
  }

  /** A redirect by a complete URL, or by a path. */
  #reference(value: string): string {
    if (!value.startsWith('/') || value.startsWith('//')) return this.#text(value);
    return this.#path(value);
  }

  /** A path of the target as one of this server, if it is below the target's base. */
  #path(path: string): string {
    const base = this.#basePath;
    const isBelow = path === base || path.startsWith(`${base}/`) || (base !== '' && path.startsWith(`${base}?`));
    return isBelow ? `${this.#ownPath}${path.slice(base.length)}` || '/' : path;
  }

  /** Over HTTP a browser refuses secure cookies, and everywhere those of another domain. */
  #cookie(value: string): string {
    const isSecure = this.own.startsWith('https:');
    const [pair = '', ...attributes] = value.split(';');
    const kept = attributes.flatMap(attribute => {
      const [given = '', ...rest] = attribute.split('=');
      const [name, value] = [given.trim().toLowerCase(), rest.join('=').trim()];
      const isForSecure = name === 'secure' || name === 'partitioned' || /^samesite=none$/i.test(`${name}=${value}`);
      if (name === 'domain' || (!isSecure && isForSecure)) return [];
      return name === 'path' && value.startsWith('/') ? [` ${given.trim()}=${this.#cookiePath(value)}`] : [attribute];
    });
    return [pair, ...kept].join(';');
  }

  /** A cookie for more than the target's base is one for all of this server's. */
  #cookiePath(path: string): string {
    return `${this.#basePath}/`.startsWith(path.replace(/\/?$/, '/')) ? this.#ownPath || '/' : this.#path(path);
  }
}
