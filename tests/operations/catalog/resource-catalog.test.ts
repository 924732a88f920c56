// All resources of Confluence and Jira: the shapes of their examples, which every-way.test.ts sends.
import { expect } from 'chai';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { operationIds, restResources } from '../../../server/operations/catalog/catalog.js';

describe('resources of Confluence and Jira', () => {
  it('have an id of their own', () => {
    expect(new Set(operationIds).size).to.equal(operationIds.length);
  });

  it('name their documentation, and have examples of their own shapes', () => {
    for (const { id, replies, examples, source } of restResources) {
      expect(source, id).to.match(/^https:\/\/developer\.atlassian\.com\/server\//);
      expect(examples, id).not.to.deep.equal([]);
      for (const { title, response } of examples) {
        const reply = replies.find(one => one.status === response.status);
        if (reply?.body !== undefined) expect(schemaErrors(reply.body, response.body), title).to.deep.equal([]);
      }
    }
  });
});
