// What of a URL is shown: all but what could let somebody in, by the same names as everywhere.
import { expect } from 'chai';
import { seenUrl } from '../../../server/verify/pacts/seen-url.js';

describe('seenUrl', () => {
  const cases: ReadonlyArray<readonly [url: string, seen: string]> = [
    ['https://broker.test/pacts?page=2', 'https://broker.test/pacts?page=2'],
    ['https://ann:x@broker.test/', 'https://broker.test/'],
    [
      'https://b.test/?access_token=x&sig=y&X-Amz-Signature=z&a=1',
      'https://b.test/?access_token=***&sig=***&X-Amz-Signature=***&a=1',
    ],
    [
      'https://b.test/?os_passwd=x&sessionId=y&jwt=z&api_key=k',
      'https://b.test/?os_passwd=***&sessionId=***&jwt=***&api_key=***',
    ],
    ['https://b.test/?token=x&token=y', 'https://b.test/?token=***'],
    ['https://b.test/?p%61ssword=x', 'https://b.test/?password=***'],
  ];
  for (const [url, seen] of cases) it(`of ${url} is ${seen}`, () => expect(seenUrl(new URL(url))).to.equal(seen));
});
