// What the REST APIs of the two products have, by the first part of a path: a path that this server does not serve is 501 there, and 404 elsewhere.
// Clients take 404 for content that does not exist.
import type { ResourceFamily } from './operation.js';

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

/** Other REST modules of the products, of which nothing is served; the third version of Jira's API exists only in the cloud. */
const CLOUD = '/rest/api/3';
const modules = {
  jira: 'agile/1.0 greenhopper/1.0 servicedeskapi gadget/1.0 dev-status/1.0 dev-status/latest insight/1.0 assets/1.0 projects/1.0',
  confluence:
    'experimental prototype/1 prototype/latest mobile/1.0 masterdetail/1.0 inlinecomments/1.0 likes/1.0 watch-button/1.0',
} as const;
const paths = Object.entries(modules).flatMap(([family, names]) =>
  names.split(' ').map(name => [family as keyof typeof modules, `/rest/${name}`] as const),
);

/** The place of a path below another module, below at most one segment. Its rest begins with the module. */
export function otherModule(path: string): { family: ResourceFamily; context: string; rest: string } | undefined {
  if (!path.includes('/rest/')) return undefined;
  const context = path.startsWith('/rest/') ? '' : `/${path.split('/', 2)[1]}`;
  const rest = path.slice(context.length);
  const isBelow = (module: string) => rest === module || rest.startsWith(`${module}/`);
  const family = isBelow(CLOUD) ? 'jira' : paths.find(([, module]) => isBelow(module))?.[0];
  return family && { family, context, rest };
}

/** Whether the product has a resource at a path below the prefix of a family, or in another module. */
export function isRealResource(family: ResourceFamily, below: string): boolean {
  const [, first = ''] = below.split('/');
  return first === 'rest' ? !below.startsWith(CLOUD) : known.get(family)?.has(first) === true;
}
