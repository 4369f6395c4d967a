import { describe, expect, it } from 'vitest';
import { ansiPieces, onlyColours, plainText } from './ansi.ts';

const ESC = '\u001b';

describe('a line with colours', () => {
  it.each([
    ['plain text', 'just text', [{ text: 'just text' }]],
    ['nothing', '', []],
    ['a colour', `${ESC}[0;32mok: [web]${ESC}[0m`, [{ text: 'ok: [web]', colour: 'green' }]],
    [
      'text around a colour',
      `a ${ESC}[31mred${ESC}[0m b`,
      [{ text: 'a ' }, { text: 'red', colour: 'red' }, { text: ' b' }],
    ],
    ['bold', `${ESC}[1;31mfatal${ESC}[0m`, [{ text: 'fatal', colour: 'red', bold: true }]],
    ['a bright colour', `${ESC}[0;95mtry${ESC}[0m`, [{ text: 'try', colour: 'magenta' }]],
    ['dim', `${ESC}[2mold${ESC}[0m`, [{ text: 'old', colour: 'dim' }]],
    ['bright black, which is grey', `${ESC}[90mnote${ESC}[39m`, [{ text: 'note', colour: 'dim' }]],
  ])('parses %s', (_, line, pieces) => {
    expect(ansiPieces(line).map((piece) => JSON.parse(JSON.stringify(piece)))).toEqual(pieces);
  });

  it('keeps markup as plain text', () => {
    const line = `${ESC}[31m<script>alert(1)</script>${ESC}[0m<img onerror=x>`;
    expect(
      ansiPieces(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe('<script>alert(1)</script><img onerror=x>');
  });
});

describe('a control sequence that is not a colour', () => {
  it.each([
    ['the cursor', `${ESC}[2K${ESC}[1Gdone`, 'done'],
    ['the screen', `${ESC}[2J${ESC}[?25lhello${ESC}[?25h`, 'hello'],
    ['a link', `${ESC}]8;;https://example.com${ESC}\\click${ESC}]8;;${ESC}\\`, 'click'],
    ['a title', `${ESC}]0;title\u0007text`, 'text'],
    ['a character set', `${ESC}(Btext`, 'text'],
    ['a saved cursor', `${ESC}7text${ESC}8`, 'text'],
    ['a bell and a backspace', 'a\u0007b\u0008c', 'abc'],
    ['a sequence without its end', `text${ESC}[`, 'text['],
  ])('is removed: %s', (_, line, left) => {
    expect(onlyColours(line)).toBe(left);
  });

  it('does not affect tabs and wide characters', () => {
    expect(onlyColours('a\tb — ü 漢字 🚦')).toBe('a\tb — ü 漢字 🚦');
  });

  it.each([
    ['10%\r50%\r100%', '100%'],
    ['text\r', 'text'],
    ['a\rb\r', 'b'],
    ['\r', ''],
  ])('is applied like in a terminal for carriage returns: %j', (line, shown) => {
    expect(onlyColours(line)).toBe(shown);
  });
});

describe('a line as plain text', () => {
  it('contains no control sequence', () => {
    expect(plainText(`${ESC}[0;32mok: [web]${ESC}[0m => ${ESC}]8;;x${ESC}\\y`)).toBe('ok: [web] => y');
  });
});
