// Where a path leads: the map of paths without parameters and @koa/router agree, whatever surrounds the path.
import { expect } from 'chai';
import { findPlace, routed } from '../../../server/http/incoming/find-endpoint.js';
import { locate, prefixes } from '../../../server/operations/address.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';

const before = ['', '/wiki', '/~mine', '/~mine/wiki', '/a/b'];
const behind = ['', '/', '/more', 'x', '%20', '?x'];

describe('the place of a path', () => {
  for (const { family, path } of endpoints) {
    it(`is ${family}${path} and no other, by the map as by the router`, () => {
      let found = 0;
      for (const [, prefix] of prefixes[family])
        for (const start of before)
          for (const end of behind)
            for (const written of [path, path.toUpperCase()]) {
              const whole = `${start}${prefix}${written.replace(/\{\w+\}/i, '6 5')}${end}`;
              const address = locate(whole);
              const place = findPlace(whole);
              if (address !== undefined) expect(place, whole).to.deep.equal(routed(address));
              else expect(place, whole).to.deep.equal({ params: {} });
              if (place.endpoint?.path === path) found += 1;
            }
      const bare = prefixes[family].filter(([name]) => name === 'bare').length; // below one segment at most
      const plain = prefixes[family].length * before.length - bare;
      expect(found).to.equal(path.includes('{') ? plain * 5 : plain * 2); // a parameter takes what follows it; a slash at the end is a gap
    });
  }

  it('has decoded parameters, or none if the path does not decode', () => {
    const place = (id: string) => findPlace(`/rest/cwxapiextension/latest/permissions/edit/${id}`);
    expect(place('6%205%2F').params).to.deep.equal({ pageId: '6 5/' });
    expect(place('6%ff')).to.deep.equal({ address: place('6%ff').address });
    expect(place('').endpoint).to.equal(undefined);
  });
});
