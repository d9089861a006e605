/** What the elements say where a page uses them wrongly, by the language of their texts. Our own pages need none of it. */

interface Misuse {
  readonly ofPerson: string;
  readonly noToken: string;
  /** The example is an element with the attribute that is missing. */
  readonly missing: (example: string) => string;
  readonly badPosition: (fen: string) => string;
}

const MISUSES: Readonly<Record<string, Misuse>> = {
  en: {
    ofPerson:
      'This is a personal token or the session of a person, which must not stand in a page: whoever reads the page could act as you. Give the token of a player.',
    noToken: 'What was given as token is none. Give the token of a player, or leave it out to watch.',
    missing: (example) => `This element needs an attribute, as in <halfmove-${example}>.`,
    badPosition: (fen: string) => `This is no position of the game: ${fen}`,
  },
  'zh-Hant': {
    ofPerson:
      '這是個人權杖（token）或個人的登入工作階段（session），不可放在網頁中：任何讀到這個網頁的人都能以你的身分操作。請提供棋手的權杖（token）。',
    noToken: '所提供的 token 並不是權杖。請提供棋手的權杖；若只是觀戰，則不必提供。',
    missing: (example) => `這個元素缺少屬性，例如 <halfmove-${example}>。`,
    badPosition: (fen) => `這不是這種棋的局面：${fen}`,
  },
  'zh-Hans': {
    ofPerson:
      '这是个人令牌（token）或个人的登录会话（session），不能放在网页中：任何读到该网页的人都能以你的身份操作。请提供棋手的令牌（token）。',
    noToken: '所提供的 token 并不是令牌。请提供棋手的令牌；若只是观战，则不必提供。',
    missing: (example) => `此元素缺少属性，例如 <halfmove-${example}>。`,
    badPosition: (fen) => `这不是这种棋的局面：${fen}`,
  },
};

export const misuseIn = ({ lang }: { readonly lang: string }): Misuse => MISUSES[lang]!;
