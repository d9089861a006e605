import { type ComponentChild, render } from 'preact';
import base from './base.css?inline';
import { keepFocus, squareIn } from './focus.js';
import game from './game.css?inline';
import { Language, type Texts, textsOf } from './texts/texts.js';

/** What both elements do: a shadow root with their styles and the language, drawn anew when an attribute changes. */

// Without a browser, as where a site makes its pages on its server, importing does nothing.
const Element = (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ?? (class {} as typeof HTMLElement); // prettier-ignore

let sheet: CSSStyleSheet | null = null;

/** The one style sheet of all elements. Built by script, it needs no leave of the policy of the page. */
function styles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(base + game);
  }
  return sheet;
}

/** The server that this script came from. */
const HOME = new URL(import.meta.url).origin;

export abstract class Frame extends Element {
  private readonly root: ShadowRoot;
  private readonly body: HTMLElement;
  private language: string | null = null;
  protected texts: Texts | null = null;

  constructor() {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    this.root.adoptedStyleSheets = [styles()];
    this.body = document.createElement('div');
    this.root.append(this.body);
    keepFocus(this.body, () => squareIn(this.body));
  }

  connectedCallback(): void {
    this.draw();
  }

  disconnectedCallback(): void {
    render(null, this.body);
  }

  attributeChangedCallback(): void {
    this.draw();
  }

  /** The server, without a slash at the end. */
  protected get base(): string {
    return (this.getAttribute('base') ?? HOME).replace(/\/+$/, '');
  }

  protected abstract content(texts: Texts): ComponentChild;

  protected draw(): void {
    if (!this.isConnected) return;
    const language = this.closest<HTMLElement>('[lang]')?.lang ?? '';
    if (language !== this.language) {
      this.language = language;
      void textsOf(language).then((texts) => {
        if (language !== this.language) return;
        this.texts = texts;
        this.draw();
      });
    }
    const { texts } = this;
    if (texts === null) return;
    this.body.lang = texts.lang;
    render(<Language.Provider value={texts}>{this.content(texts)}</Language.Provider>, this.body);
  }

  protected tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
