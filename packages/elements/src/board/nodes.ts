/** Drawings of src/boards as elements, since no text may become markup here. */

const SVG = 'http://www.w3.org/2000/svg';
/** What these drawings consist of: tags with quoted attributes, and the letters and numbers on boards. */
const PARTS = /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
/** The element of a drawing. Its ids end with a word of their own, since a page may have several boards. */
export function elementOf(drawing: string, owner: string): SVGElement {
  const root = document.createElementNS(SVG, 'g');
  let open: Element = root;
  for (const [text, closing, name, attributes, empty] of drawing.matchAll(PARTS)) {
    if (name === undefined) {
      open.append(text);
      continue;
    }
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
  return root.firstElementChild as SVGElement;
}
