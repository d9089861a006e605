/** Drawings of src/boards as elements, since no text may become markup here. */

const SVG = 'http://www.w3.org/2000/svg';
/** What these drawings consist of: tags with quoted attributes, and the texts of their titles. */
const PARTS = /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
/** Texts for readers, who have the squares of the board in their place. */
const SPOKEN = new Set(['title', 'desc']);

/** The element of a drawing. Its ids end with a word of their own, since a page may have several boards. */
export function elementOf(drawing: string, owner: string): SVGElement {
  const root = document.createElementNS(SVG, 'g');
  let open: Element = root;
  for (const [, closing, name, attributes, empty] of drawing.matchAll(PARTS)) {
    if (name === undefined) continue;
    if (closing !== '') {
      open = open.parentElement ?? root;
      continue;
    }
    const element = document.createElementNS(SVG, name);
    for (const [, key, value] of attributes!.matchAll(ATTRIBUTE)) {
      const isName = key === 'id' || (key === 'href' && value!.startsWith('#'));
      element.setAttribute(key!, isName ? `${value}-${owner}` : value!);
    }
    open.append(element);
    if (empty === '') open = element;
  }
  for (const name of SPOKEN) root.querySelector(name)?.remove();
  return root.firstElementChild as SVGElement;
}
