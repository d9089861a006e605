import { read, write, type ReadRequest } from '../../src/formats/formats.js';
import { LIMITS } from '../../src/formats/score.js';

/** Invalid texts are refused with the position of the fault, and a sentence. */

type Case = readonly [text: string, line: number, column: number, message: RegExp, request?: ReadRequest];

const BANQI = '[Ruleset "banqi-hongkong"]\n';
const DARK = '2C1/4/r1P1/4/4/4/4/x3 first r - 3 11';
const JSON_START = '{"format":"halfmove-game","version":1,"ruleset":"chess",';

const CASES: readonly Case[] = [
  ['', 1, 1, /no game/],
  ['  \n ; only a comment\n', 1, 1, /no game/],
  ['1. e4 e5 2. Nf6 *', 1, 13, /^"Nf6" is not a legal move here\. The knight on /],
  ['1. e4 e5\n2. Ke3', 2, 4, /^"Ke3" is not a legal move here\./],
  ['1. e4 e5\r\n2. Bb5 a6\r\n3. Qd9', 3, 4, /not a legal move/],
  ['1. e4\r1... e5\r2. O-O', 3, 4, /"O-O" is not a legal move here/],
  ['1. e4 {never closed', 1, 7, /no } at its end/],
  ['1. e4 e5 1-0\n\n1-0', 3, 1, /Expected a tag or a move; found the result 1-0 without a game/],
  ['{nothing} 1/2-1/2', 1, 11, /the result 1\/2-1\/2 without a game/],
  ['1. e4 (1. d4 {)}\n *', 1, 7, /no \) at its end/],
  ['1. e4 ) *', 1, 7, /has no \( before/],
  ['1. e4 } *', 1, 7, /has no { before/],
  ['1. e4 foo *', 1, 7, /Expected a move.*found "foo"/],
  ['1. 5254 5755 1-0', 1, 4, /Expected a move.*found "5254"/],
  [`1. e4 ${'x'.repeat(90)} *`, 1, 7, /found "x{60}\.\.\."/],
  ['1.e4 e5 2.Qh6', 1, 11, /"Qh6" is not a legal move/],
  ['[FEN "8/7k/8/8/1N6/8/8/K3N3 w - - 0 1"]\n\n1. Nd3 *', 3, 4, /more than one move here: Ned3 or Nbd3/],
  ['[Event "a"\n[Site "b"]', 1, 11, /Expected \] at the end of the tag "Event"; found the end of the line/],
  ['[Event "a', 1, 8, /no " at its end/],
  ['[Event "a\nb"]', 1, 8, /no " at its end/],
  ['[Event a]', 1, 8, /the value of the tag "Event" in quotes; found "a"/],
  ['[ "a"]', 1, 3, /the name of a tag/],
  ['[Event "A "big" one"]', 1, 12, /Expected \] at the end/],
  ['[Event', 1, 7, /found the end of the text/],
  ['[Event "a"]\n[Event "b"]\n*', 2, 1, /second time/],
  ['[Result "2-0"]\n*', 1, 9, /Expected the result/],
  [
    '[Result "1-0"]\n1. e4 0-1',
    2,
    7,
    /The result after the moves \(0-1\) differs from the tag Result \(1-0\)/,
  ],
  ['1. f3 e5 2. g4 Qh4# 1-0', 1, 21, /ends by checkmate, so its result must be 0-1; got 1-0/],
  ['[Result "1-0"]\n1. f3 e5 2. g4 Qh4# *', 1, 9, /its result must be 0-1/],
  ['1. f3 e5 2. g4 Qh4# 3. a3', 1, 24, /over \(checkmate\): expected its result; found "a3"/],
  ['[Reason "checkmate"]\n1. e4 1-0', 1, 9, /cannot be checkmate/],
  ['[Reason "sleep"]\n1. e4 1-0', 1, 9, /must be one of checkmate, .*; got "sleep"/],
  ['[Reason "agreement"]\n1. e4 1-0', 1, 9, /means a draw/],
  ['[Reason "threefoldRepetition"]\n1. e4 1/2-1/2', 1, 9, /cannot be claimed/],
  ['[Reason "resignation"]\n1. e4 *', 1, 9, /is not over/],
  ['[FEN "8/8"]\n*', 1, 6, /rows/],
  ['[Variant "Atomic"]\n*', 1, 10, /no rule set "Atomic"/],
  ...['Chess960', 'Chess 2', 'Standard 960', 'Xiangqi 2'].map((name): Case => [
    `[Variant "${name}"]\n*`,
    1,
    10,
    new RegExp(`no rule set "${name}" here`),
  ]),
  ['[Event "E"]\n[__proto__ "x"]\n*', 2, 1, /cannot be named __proto__/],
  ['1. e4 -- *', 1, 7, /null move, which cannot be played/],
  ['1. e4 1... Z0 *', 1, 12, /null move, which cannot be played/],
  ['1. C2=5 H8+7 1-0', 1, 4, /found "C2=5"\. This looks like Xiangqi\. .*Ruleset/],
  ['position startpos moves h2e2', 1, 1, /Games of chess cannot be written as ucci/, { ruleset: 'chess' }],
  ['[Termination "Abandoned"]\n1. e4 *', 2, 7, /or the reason "aborted"/, { over: true }],
  [
    '[Ruleset "chess"]\n*',
    1,
    10,
    /must be one of half-court-chess; it is one of chess/,
    { ruleset: 'half-court-chess' },
  ],
  ['[Game "Chinese Chess"]\n*', 1, 7, /cannot be written in this format/, { format: 'pgn' }],
  ['1. e4 *', 1, 1, /no rule set "checkers"/, { ruleset: 'checkers' }],
  ['1. e4 *', 1, 1, /cannot be written as ucci/, { ruleset: 'chess', format: 'ucci' }],
  ['1. e4 *', 1, 1, /The tag Ruleset is missing/, { format: 'text' }],
  ['[Event "李白 𝒜"] x', 1, 16, /found "x"/],
  ['\uFEFF1. e5 *', 1, 4, /"e5" is not a legal move/],
  ['[Game "Chinese Chess"]\n1. C2=5 H8+7\n2. C2=6 *', 3, 4, /"C2=6" is not a legal move/],
  ['[Game "Chinese Chess"]\n1. C2+9 *', 2, 4, /"C2\+9" is not a legal move/],
  ['[Game "Chinese Chess"]\n1. H2-E3 *', 2, 4, /"H2-E3" is not a legal move here\. .*soldier stands on e4/],
  ['[Game "Chinese Chess"]\n1. e4 *', 2, 4, /Expected a move, such as C2=5/],
  ['[Game "Chinese Chess"][FEN "4k4/9/9/R8/9/R8/9/9/9/3K5 w - - 0 1"]\n1. R9=5', 2, 4, /-R=5 or \+R=5/],
  ['position startpos moves h2e2 h9g6', 1, 30, /"h9g6" is not a legal move here\. .*soldier stands on g7/],
  ['position startpos\nposition startpos moves z', 2, 25, /Expected a move such as h2e2/],
  ['position start moves h2e2', 1, 10, /Expected startpos or fen/],
  ['position', 1, 9, /Expected startpos or fen/],
  ['position startpos h2e2', 1, 19, /Expected moves/],
  ['position fen 9/9 w moves h2e2', 1, 14, /rows/],
  [`${BANQI}1. a1(N) 2. a1(n)`, 2, 13, /"a1\(n\)" is not a legal move here/],
  [`${BANQI}1. a1(?)`, 2, 4, /Expected a move, such as a1\(N\)/],
  [`${BANQI}1. a1(Q)`, 2, 4, /cannot reveal "Q"\. Name one of/],
  [`${BANQI}1. a1(R) 2. b1(p) 3. a1-b1`, 2, 22, /"a1-b1" must be a1xb1 by the rules/],
  [`[Ruleset "banqi-hongkong"][Options "darkcaptures=true"]\n*`, 1, 36, /has no option "darkcaptures"/],
  ['{"format":', 1, 11, /Expected a value; found the end of the text/],
  ['{"format":"other","version":1,"plies":[]}', 1, 11, /Expected "format"/],
  [`${JSON_START}"options":{},"plies":[{"move":"e2e4"},\n{"move":"e7e4"}]}`, 2, 9, /e7|pawn/i],
  [`${JSON_START}"plies":[{"move":"e2e4","san":"e3"}]}`, 1, 87, /"san" must be "e4" by the rules; got "e3"/],
  [
    `${JSON_START}"plies":[],"outcome":{"winner":"first","reason":"checkmate"}}`,
    1,
    78,
    /cannot be checkmate/,
  ],
  [`${JSON_START}"plies":[],"date":"yesterday"}`, 1, 75, /"date" must be a date/],
  [`${JSON_START}"plies":[],\n"tags":{"ECO":"C20","Result":"1-0"}}`, 2, 30, /The tag "Result"/],
  [`${JSON_START}"plies":[],\n"tags":{"TimeControl":"300+5"}}`, 2, 23, /The tag "TimeControl"/],
  [`${JSON_START}"plies":[],\n"tags":{"__proto__":"x"}}`, 2, 21, /cannot be named __proto__/],
  [`${JSON_START}"plies":{}}`, 1, 65, /"plies" must be a list/],
  [`${JSON_START}"plies":[],"more":1}`, 1, 75, /must not have a field "more"/],
  [`${JSON_START}"plies":[],"plies":[]}`, 1, 68, /second time/],
  [`${JSON_START}\n"start":"8/8","plies":[]}`, 2, 9, /six fields/],
  [`[Ruleset "banqi-taiwan"]\n[FEN "${DARK}"]\n[FaceDown "Z"]\n*`, 3, 11, /face-down pieces must be/],
  [
    `${JSON_START.replace('chess', 'banqi-taiwan')}"start":"${DARK}",\n"faceDown":"Z","plies":[]}`,
    2,
    12,
    /must be/,
  ],
  ['1. e4 \u001A *', 1, 7, /cannot stand in a text/],
  ['{"a":"\n"}', 1, 6, /not valid JSON/],
  [`[${'['.repeat(90)}`, 1, 18, /must not be nested more than 16 levels/, { format: 'json' }],
];

test('reports the line, column and a sentence for each fault', () => {
  const wrong = CASES.flatMap(([text, line, column, message, request]): readonly unknown[] => {
    const result = read(text, request ?? {});
    if (result.ok) return [{ text, read: write(result.value[0]!, 'json') }];
    const { refusal } = result;
    const place = `Line ${line}, column ${column}: `;
    const sentence = refusal.message.replace(place, '');
    const isSentence = /^\S.+\.$/s.test(sentence) && message.test(sentence);
    const isPlaced = refusal.message.startsWith(place) && refusal.line === line && refusal.column === column;
    return isPlaced && isSentence ? [] : [{ text, refusal }];
  });
  expect(wrong).toEqual([]);
});

test('limits characters, games, plies and tags', () => {
  const faultOf = (text: string) => {
    const result = read(text);
    return result.ok ? null : result.refusal.message;
  };
  expect(faultOf(' '.repeat(LIMITS.text + 1))).toMatch(/at most 1048576 characters/);
  expect(faultOf('1. e4 * '.repeat(LIMITS.games))).toBeNull();
  expect(faultOf('1. e4 * '.repeat(LIMITS.games + 1))).toMatch(/at most 1000 games/);
  expect(faultOf(`[Event "${'x'.repeat(LIMITS.value + 1)}"]`)).toMatch(/at most 1000 characters/);
  const tags = Array.from({ length: LIMITS.tags + 1 }, (_, n) => `[T${n} ""]`).join('');
  expect(faultOf(`${tags.replace('[T0 ""]', '')}[Event "E"][Date "2020.01.01"]`)).toBeNull();
  expect(faultOf(tags)).toMatch(/at most 100 tags/);
});
