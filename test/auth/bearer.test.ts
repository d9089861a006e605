import { readAuthorization } from '../../src/features/auth/bearer.js';

const token = (text: string) => ({ kind: 'token', token: text });
const NONE = { kind: 'none' };
const BROKEN = { kind: 'broken' };

describe('reading an Authorization header', () => {
  it.each([
    ['no header', [], NONE],
    ['an empty header', [''], NONE],
    ['only spaces', ['  '], NONE],
    ['a token', ['Bearer a.b-c_d'], token('a.b-c_d')],
    ['the scheme in any case', ['bEaReR abc'], token('abc')],
    ['the scheme alone', ['Bearer'], BROKEN],
    ['the scheme and a space', ['Bearer '], BROKEN],
    ['something after the token', ['Bearer abc anything'], BROKEN],
    ['something before the scheme', ['x Bearer abc'], BROKEN],
    ['a tab as the separator', ['Bearer\tabc'], BROKEN],
    ['a line break at the end', ['Bearer abc\n'], BROKEN],
    ['two tokens', ['Bearer abc,Bearer def'], BROKEN],
    ['another scheme', ['Basic YTpi'], BROKEN],
    ['the token alone', ['a.b.c'], BROKEN],
    ['two headers', ['Bearer abc', 'Bearer abc'], BROKEN],
    ['two headers, one of them empty', ['', 'Bearer abc'], BROKEN],
  ])('%s', (_, headers, said) => {
    expect(readAuthorization(headers)).toEqual(said);
  });

  it.each([
    ['the token alone', ['a.b.c'], token('a.b.c')],
    ['as a header', ['Bearer a.b.c'], token('a.b.c')],
    ['null', [null], NONE],
    ['nothing', [undefined], NONE],
    ['an object', [{}], BROKEN],
    ['a number', [5], BROKEN],
    ['two words', ['abc def'], BROKEN],
    ['two of them', ['abc', 'abc'], BROKEN],
  ])('reads the one of a socket, where the scheme may be omitted: %s', (_, given, said) => {
    expect(readAuthorization(given, true)).toEqual(said);
  });
});
