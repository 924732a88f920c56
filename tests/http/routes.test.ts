// Paths without parameters are looked up rather than tried: this holds the look-up against the router, which declares them all.
import { expect } from 'chai';
import { literalEndpoints, operationRouter } from '../../server/http/routes.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { endpoints } from '../../server/operations/bindings.js';

describe('the look-up of literal paths', () => {
  const router = operationRouter(async () => {});
  const routed = (path: string, method: string) =>
    router.match(path, method).pathAndMethod.map(layer => String(layer.path));
  const paths = endpoints.map(({ family, path }) => `${canonicalPrefix(family)}${path}`);

  for (const path of paths.filter(other => !other.includes('{'))) {
    it(`finds ${path} as the router does, by every method`, () => {
      const endpoint = literalEndpoints.get(path);
      expect(endpoint && `${canonicalPrefix(endpoint.family)}${endpoint.path}`).to.equal(path);
      for (const method of ['POST', 'PUT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])
        expect(routed(path, method)).to.deep.equal([path]);
    });
  }

  it('finds nothing that the router does not find, and leaves the rest to it', () => {
    const odd = (path: string) => [
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      path.slice(0, -1),
      `${path}x`,
      path.replace('/groups', '//groups'),
      `${path}/x`,
      `${path}?`,
      path.replaceAll('-', '%2D'),
    ];
    for (const path of [...paths, '/', '', '/rest'].flatMap(odd)) {
      const found = literalEndpoints.get(path);
      if (found !== undefined) expect(routed(path, 'POST')).to.deep.equal([path]);
      else
        expect(
          routed(path, 'POST').filter(route => !route.includes(':')),
          path,
        ).to.deep.equal([]);
    }
  });

  it('leaves paths with parameters to the router', () => {
    const page = `${canonicalPrefix('wiki')}/permissions/edit/65601`;
    expect(literalEndpoints.has(page)).to.equal(false);
    expect(routed(page, 'PUT')).to.deep.equal([`${canonicalPrefix('wiki')}/permissions/edit/:pageId`]);
  });
});
