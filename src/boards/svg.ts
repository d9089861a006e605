/** Pieces of SVG as text. */

/** At most two decimals: a hundredth of a unit is never seen. */
export const num = (value: number): string => String(Math.round(value * 100) / 100);

export const path = (data: string, attributes: string): string =>
  data === '' ? '' : `<path d="${data}" ${attributes}/>`;

export const circle = (x: number, y: number, radius: number, attributes: string): string =>
  `<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}" ${attributes}/>`;

export const group = (attributes: string, content: string): string =>
  content === '' ? '' : `<g ${attributes}>${content}</g>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
