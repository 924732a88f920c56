// The entry point. Removes the token of `serve --open` from the address at once.
import { render } from 'preact';
import { Dashboard } from './dashboard.js';
import { keepFocus } from './live/focus.js';
import { client } from './live/sandbox.js';

const token = /^#token=(.+)$/.exec(location.hash)?.[1];
if (token !== undefined) {
  client.token = decodeURIComponent(token);
  history.replaceState(null, '', '#/');
}
const root = document.getElementById('dashboard');
root?.replaceChildren(); // the header, which is painted before the script runs
if (root !== null) {
  render(<Dashboard />, root);
  keepFocus(root);
}
