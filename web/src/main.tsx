import { render } from 'preact';
import { keepFocus, squareIn } from '../../packages/elements/src/focus.js';
import { App, pageOf } from './app.js';
import { startRouter } from './router.js';

startRouter((path) => pageOf(path) !== undefined);
const page = document.getElementById('page')!;
keepFocus(page, (nearest) => {
  const heading = nearest.closest('section[aria-labelledby]')?.querySelector('h2');
  if (heading != null) heading.tabIndex = -1;
  return squareIn(page) ?? heading ?? page.querySelector('h1');
});
// In a task of its own: the script was one already.
setTimeout(render, 0, <App />, page);
