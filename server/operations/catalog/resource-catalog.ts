// All resources of Confluence and Jira: routes, document and client derive from it.

import {
  confluenceAttachments,
  confluenceChildPages,
  confluenceChildren,
  confluenceComments,
  confluenceContentRestrictions,
  confluenceHistory,
  confluenceLabels,
  confluenceProperties,
  confluenceRestrictionList,
} from '../confluence/confluence-collections.js';
import {
  confluenceContentById,
  confluenceContentRestriction,
  confluenceContents,
  confluenceSearch,
} from '../confluence/confluence-content.js';
import {
  confluenceCurrentUser,
  confluenceGroupByName,
  confluenceGroupMembers,
  confluenceGroups,
  confluenceUserByName,
  confluenceUserGroups,
} from '../confluence/confluence-people.js';
import { confluenceSiteSearch } from '../confluence/confluence-site-search.js';
import {
  confluenceSpaceByKey,
  confluenceSpaceContent,
  confluenceSpacePages,
  confluenceSpaces,
  confluenceTask,
} from '../confluence/confluence-spaces.js';
import { jiraDashboardById, jiraDashboards, jiraFavouriteFilters, jiraFilterById } from '../jira/jira-favourites.js';
import {
  jiraGroup,
  jiraGroupMembers,
  jiraGroupPicker,
  jiraMyself,
  jiraUserByName,
  jiraUserSearch,
} from '../jira/jira-people.js';
import { jiraServerInfo, jiraSession, jiraSessionEnd, jiraSessionStart } from '../jira/jira-server.js';

export const resourceCatalog = [
  confluenceGroups,
  confluenceGroupByName,
  confluenceGroupMembers,
  confluenceUserByName,
  confluenceCurrentUser,
  confluenceUserGroups,
  confluenceSpaces,
  confluenceSpaceByKey,
  confluenceSpaceContent,
  confluenceSpacePages,
  confluenceContents,
  confluenceSearch,
  confluenceSiteSearch,
  confluenceContentById,
  confluenceHistory,
  confluenceChildren,
  confluenceChildPages,
  confluenceComments,
  confluenceAttachments,
  confluenceLabels,
  confluenceProperties,
  confluenceRestrictionList,
  confluenceContentRestrictions,
  confluenceContentRestriction,
  confluenceTask,
  jiraGroup,
  jiraGroupMembers,
  jiraGroupPicker,
  jiraUserByName,
  jiraMyself,
  jiraUserSearch,
  jiraFilterById,
  jiraFavouriteFilters,
  jiraDashboards,
  jiraDashboardById,
  jiraServerInfo,
  jiraSessionStart,
  jiraSession,
  jiraSessionEnd,
] as const;
