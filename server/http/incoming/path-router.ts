// The one router: finds what is served at a path, by @koa/router.
import Router from '@koa/router';

/** A path as endpoints write it: `{name}` is a parameter. */
interface Served {
  readonly path: string;
}

export class PathRouter<S extends Served> {
  readonly #router = new Router({ sensitive: true, strict: true });
  /** By the names of their routes. */
  readonly #served = new Map<string, S>();

  /** `prefixOf`: what comes before a path. Of paths that match alike the first one wins. */
  constructor(served: readonly S[], prefixOf: (one: S) => string) {
    for (const one of served) {
      const path = `${prefixOf(one)}${one.path.replace(/\{(\w+)\}/g, ':$1')}`;
      this.#served.set(path, one);
      this.#router.all(path, path, () => {});
    }
  }

  at(path: string): { readonly found: S; readonly params: Readonly<Record<string, string>> } | undefined {
    const [layer] = this.#router.match(path, 'POST').path;
    const found = layer?.name === undefined ? undefined : this.#served.get(layer.name);
    return layer === undefined || found === undefined
      ? undefined
      : { found, params: layer.params(path, layer.captures(path)) };
  }
}
