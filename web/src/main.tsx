import { render } from 'preact';
import { App, PAGES } from './app.js';
import { startRouter } from './router.js';

startRouter((path) => path in PAGES);
render(<App />, document.getElementById('page')!);
