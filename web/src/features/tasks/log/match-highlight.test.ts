import { describe, expect, it } from 'vitest';
import { highlightMatches, matcherFor } from './match-highlight.ts';

const shown = (pieces: readonly { text: string }[], text: string) =>
  highlightMatches(pieces, matcherFor(text))
    .map((piece) => (piece.isMatch ? `<${piece.text}>` : piece.text))
    .join('|');

describe('the highlighted matches in a line', () => {
  it.each([
    [['one two one'], 'one', '<one>| two |<one>'],
    [['One'], 'oNE', '<One>'],
    [['fat', 'al: x'], 'fatal', '<fat>|<al>|: x'],
    [['a', 'b', 'c'], 'abc', '<a>|<b>|<c>'],
    [['a.b axb'], 'a.b', '<a.b>| axb'],
    [['[web-1] (x)'], '] (', '[web-1|<] (>|x)'],
    [['GRÖSSE'], 'grösse', '<GRÖSSE>'],
    [['nothing'], 'some', 'nothing'],
    [['aaa'], 'aa', '<aa>|a'],
  ])('%j with %j', (texts, text, expected) => {
    expect(
      shown(
        texts.map((one) => ({ text: one })),
        text,
      ),
    ).toBe(expected);
  });

  it('keep the colours of the line', () => {
    expect(highlightMatches([{ text: 'red', colour: 'red', bold: true }], matcherFor('e'))).toEqual([
      { text: 'r', colour: 'red', bold: true },
      { text: 'e', colour: 'red', bold: true, isMatch: true },
      { text: 'd', colour: 'red', bold: true },
    ]);
  });
});
