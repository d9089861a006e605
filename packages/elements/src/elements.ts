import { HalfmoveBoard } from './board-element.js';
import { HalfmoveGame } from './game-element.js';
import type * as Declared from './halfmove.js';

/** `<halfmove-board>` and `<halfmove-game>`, for any page. */

export { HalfmoveBoard, HalfmoveGame };

({ HalfmoveBoard, HalfmoveGame }) satisfies typeof Declared;

const ELEMENTS = { 'halfmove-board': HalfmoveBoard, 'halfmove-game': HalfmoveGame };

const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
// A page that has this script twice keeps the first one.
for (const [name, element] of Object.entries(ELEMENTS))
  if (registry !== undefined && registry.get(name) === undefined) registry.define(name, element);
