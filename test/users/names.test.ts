import fc from 'fast-check';
import { lookOf } from '../../src/features/users/looks.js';
import {
  parseDisplayName,
  parseUsername,
  requireDisplayName,
  requireUsername,
} from '../../src/features/users/names.js';

describe('usernames', () => {
  it.each([
    ['ann', 'ann'],
    ['Ann', 'ann'],
    ['a-b', 'a-b'],
    ['a__b', 'a__b'],
    ['007', '007'],
    ['X'.repeat(30), 'x'.repeat(30)],
  ])('%j is %j', (text, username) => expect(parseUsername(text)).toBe(username));

  it.each([
    ['empty', ''],
    ['2 characters', 'ab'],
    ['31 characters', 'x'.repeat(31)],
    ['a hyphen first', '-ann'],
    ['an underscore last', 'ann_'],
    ['a space inside', 'an n'],
    ['a space before and after', ' ann'],
    ['a line break at the end', 'ann\n'],
    ['a dot', 'a.nn'],
    ['an umlaut', 'änn'],
    ['a Cyrillic а', 'аnn'],
    ['the Kelvin sign, whose lower case is a k', '\u212Aann'],
    ['the dotted I of Turkish', 'ann\u0130x'],
    ['a zero-width space', 'an\u200Bn'],
    ['a null', 'ann\0'],
    ['the name of all closed accounts', 'closed-account'],
    ['the same in capitals', 'CLOSED-Account'],
  ])('refuses %s', (_, text) => {
    expect(parseUsername(text)).toBeNull();
    expect(() => requireUsername(text)).toThrow(
      expect.objectContaining({
        code: 'BAD_INPUT',
        details: expect.objectContaining({ field: 'username' }) as unknown,
      }),
    );
  });

  it.each([
    'admin',
    'Halfmove',
    'halfmove-support',
    'the_server',
    '0fficial',
    'staff',
    'adm1n',
    'moderator-7',
  ])('refuses %s to a new user, since it would pass for a name of the server', (text) => {
    expect(() => requireUsername(text)).toThrow(/^username must not pass for a name of the server/);
    // Whoever has had it goes on.
    expect(parseUsername(text)).toBe(text.toLowerCase());
  });

  it.each(['admina', 'modest', 'halfmover', 'team-ann', 'ann-the-admin'])('allows %s', (text) =>
    expect(requireUsername(text)).toBe(text),
  );

  it('match the rule, and parse to themselves', () => {
    const rule = /^[a-z0-9](?:[a-z0-9_-]{1,28}[a-z0-9])$/;
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,40}$/), (text) => {
        const username = parseUsername(text);
        expect(username !== null).toBe(rule.test(text.toLowerCase()));
        if (username !== null) expect(parseUsername(username)).toBe(username);
      }),
    );
  });
});

describe('display names', () => {
  it.each([
    ['Ann Lee', 'Ann Lee'],
    ['  Ann \u00A0 Lee\u3000', 'Ann Lee'],
    ['Ka\u0308the', 'Käthe'],
    ['象棋大师', '象棋大师'],
    ['♞ Ann ♞', '♞ Ann ♞'],
    ['עדי', 'עדי'],
    ['x'.repeat(40), 'x'.repeat(40)],
    ['𝒜'.repeat(40), '𝒜'.repeat(40)],
  ])('%j is %j', (text, displayName) => expect(parseDisplayName(text)).toBe(displayName));

  it.each([
    ['empty', ''],
    ['blank', ' \u3000 '],
    ['only signs', '♞♞'],
    ['41 characters', 'x'.repeat(41)],
    ['a null', 'An\0n'],
    ['a line break', 'Ann\nLee'],
    ['a tab', 'Ann\tLee'],
    ['a C1 control', 'Ann\u0085'],
    ['a line separator', 'Ann\u2028'],
    ['an override of direction', 'Ann\u202Ennad'],
    ['an isolate', '\u2066Ann\u2069'],
    ['a right-to-left mark', 'Ann\u200F'],
    ['an Arabic letter mark', 'Ann\u061C'],
    ['a zero-width space', 'An\u200Bn'],
    ['a zero-width joiner', 'An\u200Dn'],
    ['a word joiner', 'An\u2060n'],
    ['a byte order mark', '\uFEFFAnn'],
    ['a soft hyphen', 'An\u00ADn'],
    ['a combining grapheme joiner', 'An\u034Fn'],
    ['a Hangul filler', 'Ann\u3164'],
    ['a variation selector', 'Ann\uFE0F'],
    ['a tag character', 'Ann\u{E0041}'],
    ['half a surrogate pair', 'Ann\uD800'],
    ['a private character', 'Ann\uE000'],
  ])('refuses %s', (_, text) => {
    expect(parseDisplayName(text)).toBeNull();
    expect(() => requireDisplayName(text)).toThrow(
      expect.objectContaining({
        code: 'BAD_INPUT',
        details: expect.objectContaining({ field: 'displayName' }) as unknown,
      }),
    );
  });

  it.each([
    'Аdmin',
    'ADMIN',
    'A.d.m.i.n',
    'Halfmove',
    'H a l f m o v e',
    'Нalfmоve Suppоrt',
    'The Moderators',
    '★ Official Halfmove Team ★',
    'ｓｙｓｔｅｍ',
    'Rооt',
    'ADM1N',
    'HalfmoveSupport',
    'Admin 2',
    'Halfmove Team 1',
    'Halfmove Help Desk',
    'System Notice',
  ])('refuses %s, which would pass for a name of the server', (text) => {
    expect(parseDisplayName(text)).toBeNull();
    expect(() => requireDisplayName(text)).toThrow(/^displayName must not pass for a name of the server/);
  });

  it('are NFC, trimmed and parse to themselves, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const displayName = parseDisplayName(text);
        if (displayName === null) return;
        expect(displayName).toBe(displayName.normalize('NFC').trim());
        expect(parseDisplayName(displayName)).toBe(displayName);
      }),
    );
  });
});

describe('the comparison of names by look', () => {
  it.each([
    ['Magnus', 'Magnus.'],
    ['Magnus', '♞ m·a·g·n·u·s ♞'],
    ['Magnus', 'M\u0330agnus\u0308'],
    ['Magnus', '𝓜𝓪𝓰𝓷𝓾𝓼'],
    ['Magnus', 'rnagnus'],
    ['José', 'Jose'],
    ['Jörg Ødegård', 'jorg-odegard'],
    ['Ann Lee', 'Annlee'],
    ['Ann', 'Аnn'],
    ['象棋大师', '「象棋 大师」'],
  ])('treats as the same: %s and %s', (one, other) => expect(lookOf(one)).toBe(lookOf(other)));

  it.each([
    ['Magnus', 'Magnum'],
    ['Ann', 'Anna'],
    ['が', 'か'],
    ['की', 'का'],
    ['象棋', '棋象'],
    ['ǃ', 'ǂ'],
  ])('treats as different: %s and %s', (one, other) => expect(lookOf(one)).not.toBe(lookOf(other)));

  it('gives every name a form to compare', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const displayName = parseDisplayName(text);
        if (displayName !== null) expect(lookOf(displayName)).not.toBe('');
      }),
    );
  });
});
