import { type ComponentChild, render } from 'preact';
import base from './base.css?inline';
import { ChosenTheme, type Theme } from './board/theme.js';
import { keepFocus, squareIn } from './focus.js';
import game from './game.css?inline';
import { Language, type Texts, textsOf } from './texts/texts.js';

/** What both elements do: a shadow root with their styles, the language and the theme, drawn anew when an attribute changes. */

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

  /** As it was chosen; else dark where the page around it can be dark. */
  private get theme(): Theme {
    const theme = this.getAttribute('theme');
    if (theme === 'light' || theme === 'dark') return theme;
    const { colorScheme } = getComputedStyle(this);
    const meta = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]');
    const schemes = colorScheme === 'normal' ? (meta?.content ?? '') : colorScheme;
    if (!schemes.includes('dark')) return 'light';
    return schemes.includes('light') ? 'auto' : 'dark';
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
    render(
      <Language.Provider value={texts}>
        <ChosenTheme.Provider value={this.theme}>{this.content(texts)}</ChosenTheme.Provider>
      </Language.Provider>,
      this.body,
    );
  }

  protected tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
