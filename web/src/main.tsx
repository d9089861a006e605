import { render } from 'preact';
import { App, pageOf } from './app.js';
import { startRouter } from './router.js';

startRouter((path) => pageOf(path) !== undefined);
render(<App />, document.getElementById('page')!);
