// All resources of Confluence and Jira: their paths as in the design, and the shapes of their examples, which every-way.test.ts sends.
import { expect } from 'chai';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { canonicalPrefix } from '../../../server/operations/address.js';
import { operationIds, restResources } from '../../../server/operations/catalog/catalog.js';

const paths = `GET /rest/api/group
GET /rest/api/group/{name}
GET /rest/api/group/{name}/member
GET /rest/api/user
GET /rest/api/user/current
GET /rest/api/user/memberof
GET /rest/api/space
GET /rest/api/space/{key}
GET /rest/api/space/{key}/content
GET /rest/api/space/{key}/content/page
GET /rest/api/content
GET /rest/api/content/search
GET /rest/api/search
GET /rest/api/content/{id}
GET /rest/api/content/{id}/history
GET /rest/api/content/{id}/child
GET /rest/api/content/{id}/child/page
GET /rest/api/content/{id}/child/comment
GET /rest/api/content/{id}/child/attachment
GET /rest/api/content/{id}/label
GET /rest/api/content/{id}/property
GET /rest/api/content/{id}/restriction
GET /rest/api/content/{id}/restriction/byOperation
GET /rest/api/content/{id}/restriction/byOperation/{operation}
GET /rest/api/longtask/{id}
GET /rest/api/2/group
GET /rest/api/2/group/member
GET /rest/api/2/groups/picker
GET /rest/api/2/user
GET /rest/api/2/myself
GET /rest/api/2/user/search
GET /rest/api/2/filter/{id}
GET /rest/api/2/filter/favourite
GET /rest/api/2/dashboard
GET /rest/api/2/dashboard/{id}
GET /rest/api/2/serverInfo
POST /rest/auth/1/session
GET /rest/auth/1/session
DELETE /rest/auth/1/session`.split('\n');

describe('resources of Confluence and Jira', () => {
  it('have the paths of the design, each under an id of its own', () => {
    expect(
      restResources.map(({ method, family, path }) => `${method} ${canonicalPrefix(family)}${path}`),
    ).to.deep.equal(paths);
    expect(new Set(operationIds).size).to.equal(operationIds.length);
  });

  for (const resource of restResources) {
    const { id, replies, examples, source } = resource;
    it(`${id} names its documentation, and has examples of its own shapes`, () => {
      expect(source).to.match(/^https:\/\/developer\.atlassian\.com\/server\//);
      expect(examples).not.to.deep.equal([]);
      for (const { title, response } of examples) {
        const reply = replies.find(one => one.status === response.status);
        if (reply?.body !== undefined) expect(schemaErrors(reply.body, response.body), title).to.deep.equal([]);
      }
    });
  }
});
