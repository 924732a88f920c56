// The gaps about wiki operations: callers, responses, unknown names.
import type { Gap } from './gap.js';

const membership = '4.2 Group actions; 4 "Which ... are required or optional: not shown"';
const errors = '7 "Errors of the wiki extension operations (status codes, error bodies): not shown"';
const success = '4.5 "Response bodies of the wiki extension operations: not shown"';
const auth = '5 "Authentication and authorization for the wiki extension operations: not shown"';
const copying = '4.4 Copy space';
const replacing = '4.4 Replace text in existing page';

export const wikiGaps = {
  'wiki-auth': {
    asks: 'Who is allowed to call the wiki operations?',
    source: auth,
    readings: [
      ['open', 'anyone can call them'],
      ['authenticated', 'any authenticated user can call them'],
      ['admin', 'only admins can call them; other users get 403'],
      [
        'permitted',
        'admins can call all of them; space admins can change the sidebar and pages of their spaces, and copy the spaces; page editors can change the text and permissions of their pages; any user can ask whether a space exists; other requests get 403',
      ],
    ],
  },
  'wiki-anonymous': {
    asks: 'Which status does a caller without credentials get from a wiki operation that is not open to anyone?',
    source: auth,
    readings: [
      ['401', 'the response is 401 with WWW-Authenticate'],
      ['403', 'the response is 403, as for a user without permission'],
    ],
  },
  'wiki-licence': {
    asks: 'Do the wiki operations need a licence as well?',
    source: '5 requires a licence for push and pull, and says nothing of the wiki extension',
    readings: [
      ['not-needed', 'they work without a licence'],
      ['needed', 'unless the licence in the world is valid, the request is refused with 403'],
    ],
  },
  'wiki-check-order': {
    asks: 'How is a wiki request refused if it is neither permitted nor valid?',
    source: auth,
    readings: [
      ['access-first', 'permissions are checked first'],
      ['validation-first', 'the request is validated first'],
    ],
  },
  'wiki-success': {
    asks: 'How does a wiki operation respond when it succeeds?',
    source: success,
    readings: [
      ['object', '200 with the body {}'],
      ['empty', '200 without a body'],
      ['no-content', '204'],
      ['messages', '200 with {"success":true,"messages":[]}'],
    ],
  },
  'copy-success': {
    asks: 'How does copying a space respond when it succeeds?',
    source: `${success}; ${copying}`,
    readings: [
      ['like-others', 'the response is that of the other operations (wiki-success)'],
      ['201', '201 with the body {}'],
      ['202', '202 with a task, {"id", "links"}, which is done at once'],
      ['space', '201 with the new space, {"key", "name", "type"}'],
    ],
  },
  'wiki-error-body': {
    asks: 'What does the body of a refused wiki operation look like?',
    source: errors,
    readings: [
      ['confluence', '{"statusCode", "message", "reason"}, as in Confluence'],
      ['messages', '{"messages": [...]}'],
      ['empty', 'there is no body'],
    ],
  },
  'unknown-user': {
    asks: 'What does a wiki operation do with a user that does not exist?',
    source: errors,
    refusal: 'There is no such user',
    readings: [
      ['404', 'the request is refused with 404'],
      ['400', 'the request is refused with 400'],
      ['403', 'the request is refused with 403'],
      [
        'skip',
        'the name is skipped and the rest is applied; set-users changes nothing if no user is left, and a copied space gets the default admin',
        'A user does not exist.',
      ],
      [
        'message',
        'as with skip, and the response is 200 with {"success":false,"messages":[...]} about the skipped names',
      ],
      [
        'create',
        'adding a user, setting members and naming a targetSpaceAdmin create the user, without a password; anonymous and, when removing, any unknown name is skipped',
        'A user does not exist.',
      ],
    ],
  },
  'unknown-group': {
    asks: 'What does a wiki operation do with a group that does not exist?',
    source: errors,
    refusal: 'There is no such group',
    readings: [
      ['404', 'the request is refused with 404'],
      ['400', 'the request is refused with 400'],
      ['403', 'the request is refused with 403'],
      ['skip', 'the name is skipped and the rest is applied', 'A group does not exist.'],
      [
        'message',
        'as with skip, and the response is 200 with {"success":false,"messages":[...]} about the skipped names',
      ],
      [
        'create',
        'add-users and set-users create the group, even without users, as does adding it to a permission; when removing, the name is skipped',
        'A group does not exist.',
      ],
    ],
  },
  'page-id-format': {
    asks: 'Which path segments can be page ids?',
    source: '2 "type not stated beyond being a path segment"',
    readings: [
      ['digits', 'only digits; any other segment gets 404'],
      ['any', 'any segment; if no page has that id, unknown-page applies'],
    ],
  },
  'unknown-page': {
    asks: 'What happens when the page does not exist?',
    source: errors,
    refusal: 'There is no such page',
    readings: [
      ['404', 'the request is refused with 404'],
      ['400', 'the request is refused with 400'],
      ['403', 'the request is refused with 403'],
    ],
  },
  'unknown-space': {
    asks: 'What happens when the space does not exist?',
    source: errors,
    refusal: 'There is no such space',
    readings: [
      ['404', 'the request is refused with 404'],
      ['400', 'the request is refused with 400'],
      ['403', 'the request is refused with 403'],
    ],
  },
  'no-change': {
    asks: 'What is the response to a request that names users or groups but changes nothing, such as adding a member again?',
    source: membership,
    refusal: 'Nothing would change',
    readings: [
      ['ok', 'the response is the same as for a change'],
      ['409', 'the request is refused with 409'],
    ],
  },
  'empty-lists': {
    asks: 'What is the response to an add or remove request whose lists of users and groups are empty?',
    source: `${membership}; 4.3`,
    refusal: 'The lists are empty',
    readings: [
      ['ok', 'the response is the same as for a change', 'The lists of users and groups are empty.'],
      ['400', 'the request is refused with 400'],
    ],
  },
  'all-remove-empty': {
    asks: 'What does removing users and groups from all permissions do with two empty lists?',
    source: '4.3, fifth row "Remove users and groups from all page permissions"',
    readings: [
      ['like-others', 'the same as the other remove requests (empty-lists)'],
      ['everyone', 'it removes all users and groups from both permissions'],
    ],
  },
  'set-users-empty': {
    asks: 'What does set-users do with an empty list of users?',
    source: membership,
    refusal: 'The list of users is empty',
    readings: [
      ['clears', 'it removes all members'],
      ['400', 'the request is refused with 400'],
    ],
  },
  'sidebar-duplicate': {
    asks: 'What happens when the sidebar has a link with the same label?',
    source: '4.4 Add space sidebar link',
    refusal: 'The label is taken',
    readings: [
      ['append', 'both links stay'],
      ['replace', 'the new link takes the place of the first one with that label; others with that label are removed'],
      ['409', 'the request is refused with 409'],
    ],
  },
  'sidebar-link-form': {
    asks: 'Which labels and URLs can a sidebar link have?',
    source: '4.4 Add space sidebar link; 2 gives both the type string only',
    readings: [
      ['any', 'any text', 'The label or the URL of a sidebar link is empty or malformed.'],
      [
        'checked',
        'the label must not be empty, and the URL must be an http or https URL or a path that begins with a slash; otherwise the request is refused with 400',
      ],
    ],
  },
  'target-space-exists': {
    asks: 'What happens when the key of the new space is taken?',
    source: copying,
    refusal: 'The space key is taken',
    readings: [
      ['409', 'the request is refused with 409'],
      ['400', 'the request is refused with 400'],
    ],
  },
  'copied-content': {
    asks: 'What does a copied space contain?',
    source:
      '4.4 "Creates a new space from a template space"; keepPagesMetadata mentions pages, and nothing else is mentioned',
    readings: [
      ['all', 'the pages with their restrictions, the sidebar links and the admins'],
      ['pages', 'the pages without restrictions; the only admin is targetSpaceAdmin or the default admin'],
    ],
  },
  'admin-eligibility': {
    asks: 'Can targetSpaceAdmin be a user who is not an admin of the wiki?',
    source: '4.4 targetSpaceAdmin: "admin user to use"',
    readings: [
      ['any-user', 'targetSpaceAdmin can be any user'],
      ['admins-only', 'targetSpaceAdmin must be an admin of the wiki; otherwise the request is refused with 400'],
    ],
  },
  'target-title-taken': {
    asks: 'Can a new space have the title of another space?',
    source: copying,
    refusal: 'The space title is taken',
    readings: [
      ['allow', 'two spaces can have the same title'],
      ['409', 'the request is refused with 409'],
    ],
  },
  'space-title-form': {
    asks: 'Which titles can a new space have?',
    source: copying,
    readings: [
      ['any', 'any text', 'The title of the new space is empty or has more than 255 characters.'],
      ['1-to-255', '1 to 255 characters; anything else is refused with 400'],
    ],
  },
  'space-key-format': {
    asks: 'Which keys can a new space have?',
    source: copying,
    readings: [
      ['alphanumeric', '1 to 255 letters (A-Z, a-z) and digits; anything else is refused with 400'],
      ['any', 'any text', 'The space key has characters other than letters and digits.'],
    ],
  },
  'default-space-admin': {
    asks: 'Which admin is picked when targetSpaceAdmin is empty?',
    source: '4.4 "empty means a default admin is picked"',
    readings: [
      ['first-admin', 'the first admin by name'],
      ['caller', 'the caller; for an anonymous caller, the first admin by name'],
    ],
  },
  'copied-metadata-when-not-kept': {
    asks: 'Which author and date do copied pages have when keepPagesMetadata is false?',
    source: '4.4 keepPagesMetadata',
    readings: [
      ['caller-now', 'the caller and the time of the copy'],
      ['admin-now', 'the admin of the new space and the time of the copy'],
    ],
  },
  'is-unique-match': {
    asks: 'When does a space with the given key and name exist?',
    source: '4.4 "whether a space with the given key and name already exists"',
    readings: [
      ['either', 'when the key or the name is taken'],
      ['both', 'when one space has that key and that name'],
      ['key-only', 'when the key is taken'],
    ],
  },
  'is-unique-answer': {
    asks: 'Which form does the response have, and does true mean free or taken?',
    source: '4.4: the operation is called "check if space exists" and its path isUnique',
    readings: [
      ['boolean', 'true when free'],
      ['inverted', 'true when taken'],
      ['object', '{"unique": true} when free'],
      ['exists', '{"exists": true} when taken'],
      ['messages', '{"success": true, "messages": []} when free; when taken success is false and a message says so'],
      ['status', '200 with {} when free, 409 when taken'],
      ['found', '200 with {} when taken, 404 when free'],
    ],
  },
  'replace-scope': {
    asks: 'Is every occurrence replaced?',
    source: replacing,
    readings: [
      ['all', 'every occurrence is replaced, in the body and in the title'],
      ['first', 'only the first occurrence in the body and the first in the title are replaced'],
    ],
  },
  'replace-order': {
    asks: 'Does an element of the list work on the result of the elements before it?',
    source: replacing,
    readings: [
      ['sequential', 'each element works on the result of the elements before it'],
      [
        'simultaneous',
        'every element searches the original text, also to decide replace-not-found; of overlapping matches the leftmost wins, then the earlier element',
      ],
    ],
  },
  'replace-target': {
    asks: 'In which text of the body are replacements made?',
    source: '4.4 "Replaces text in the page body"',
    readings: [
      ['markup', 'in the stored markup, tags and entities included'],
      [
        'visible-text',
        'in the text between tags, comments and CDATA sections, with entities such as &amp; decoded; new text is encoded, the rest of the markup stays as it is',
      ],
    ],
  },
  'replace-not-found': {
    asks: 'What happens when an oldText is neither in the body nor in the title?',
    source: replacing,
    refusal: 'The text is not on the page',
    readings: [
      ['ok', 'the element is skipped', 'An oldText is not in the page.'],
      ['404', 'the request is refused with 404, and nothing is changed'],
    ],
  },
  'old-text-empty': {
    asks: 'What does an empty oldText mean?',
    source: replacing,
    refusal: 'oldText is empty',
    readings: [
      ['400', 'the request is refused with 400'],
      ['ignored', 'the element replaces nothing', 'An oldText is empty.'],
    ],
  },
  'replace-permission': {
    asks: 'Is text replaced in a page that the caller cannot view or edit?',
    source: '4.4 and 5 say nothing of restrictions',
    readings: [
      ['ignored', 'restrictions are ignored, and the text is replaced'],
      ['enforced', 'the page is treated as one that does not exist; an admin can view every page'],
      [
        '403',
        'the request is refused with 403 if the caller can view the page; otherwise the page is treated as one that does not exist',
      ],
    ],
  },
  'replaced-title': {
    asks: 'Can a replacement leave a page with an empty title, or with one of more than 255 characters?',
    source: replacing,
    refusal: 'The new title is empty or too long',
    readings: [
      ['400', 'the request is refused with 400, and nothing is changed'],
      ['allow', 'any title is accepted', 'The new title is empty or has more than 255 characters.'],
    ],
  },
  'page-title-shared': {
    asks: 'Which page is meant when two pages of the space have the title?',
    source: '4.4 "pageTitle"; only replace-title-clash=allow brings it about',
    refusal: 'Two pages have the same title',
    readings: [
      ['first', 'the first page in the order of the space'],
      ['409', 'the request is refused with 409'],
    ],
  },
  'replace-title-clash': {
    asks: 'What happens when another page of the space has the new title already?',
    source: replacing,
    refusal: 'Another page has that title',
    readings: [
      ['409', 'the request is refused with 409, and nothing is changed'],
      ['400', 'the request is refused with 400, and nothing is changed'],
      ['allow', 'both pages have that title'],
    ],
  },
  'page-title-case': {
    asks: 'Is the new title taken if another page has the same title in different capitalization?',
    source: `${replacing}; 2 "All names are case-sensitive" does not say whether titles are names`,
    readings: [
      ['exact', 'titles that differ in capitalization are different'],
      [
        'ignored',
        'the title is taken, and replace-title-clash applies; pages are still looked up by their exact titles',
      ],
    ],
  },
  'expand-unknown': {
    asks: 'What happens when expand names something that the response does not have?',
    source: '2 "Which endpoints accept expand is left open"',
    readings: [
      ['ignore', 'the name is ignored', 'expand names a part that does not exist.'],
      ['400', 'the request is refused with 400'],
    ],
  },
} as const satisfies Record<string, Gap>;
