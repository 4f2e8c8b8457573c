// The console: /console, the service in a browser. It starts here.
import { render } from 'preact';
import { followLinks } from './address.ts';
import { keepFocus } from './focus.ts';
import { Frame } from './frame.tsx';

followLinks();
keepFocus();
const root = document.getElementById('console');
if (root !== null) {
  root.replaceChildren();
  render(<Frame />, root);
}
