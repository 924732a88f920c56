// What the REST APIs of the two products have, by the first part of a path: a path that this server does not serve is 501 there, and 404 elsewhere.
// Clients take 404 for content that does not exist.
import type { ResourceFamily } from '../operation.js';

/** From the indexes of https://developer.atlassian.com/server/confluence/rest/v1021/ and https://developer.atlassian.com/server/jira/platform/rest/v11000/. */
const parts: Readonly<Record<ResourceFamily, string>> = {
  confluence: `accessmode admin audit backup-restore cluster color-scheme content contentbody group index instance-metrics label longtask permissions search
    server-information settings space user webhooks`,
  jira: `application-properties applicationrole attachment avatar cluster comment component configuration customFieldOption customFields
    dashboard email-templates field filter group groups groupuserpicker index index-snapshot issue issueLink issueLinkType issuesecurityschemes issuetype
    issuetypescheme jql licenseValidator monitoring mypermissions mypreferences myself notificationscheme password permissions permissionscheme priority
    priorityschemes project projectCategory projects projectvalidate reindex resolution role screens search securitylevel serverInfo settings status
    statuscategory terminology universal_avatar upgrade user version workflow workflowscheme worklog`,
  'jira-auth': 'session websudo',
};

const known = new Map(Object.entries(parts).map(([family, names]) => [family, new Set(names.split(/\s+/))]));

/** Whether the product has a resource at a path below the prefix of a family. */
export function isRealResource(family: ResourceFamily, below: string): boolean {
  const [, first = ''] = below.split('/');
  return known.get(family)?.has(first) === true;
}
