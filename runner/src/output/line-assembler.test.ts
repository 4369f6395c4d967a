import { describe, expect, it } from 'vitest';
import { LineAssembler } from './line-assembler.ts';
import { MAX_LINE_BYTES } from './line-splitter.ts';
import { Masker } from './masker.ts';
import { plainLine, TRUNCATED } from './plain-text.ts';

const assemble = (text: string | Buffer, chunk = Number.POSITIVE_INFINITY) => {
  const markers: [number, number | undefined][] = [];
  const assembler = new LineAssembler(new Masker([]), (marker, line) => markers.push([marker, line]));
  const bytes = Buffer.from(text);
  const lines = [];
  for (let at = 0; at < bytes.length; at += chunk) lines.push(...assembler.push(bytes.subarray(at, at + chunk)));
  lines.push(...assembler.end());
  return { lines, markers, texts: lines.map((line) => line.text) };
};
const markerText = (number: number) => `\x1b_signalbox;${number}\x1b\\`;

describe('LineAssembler', () => {
  const table: [string, string, string[]][] = [
    ['plain lines', 'a\nb\n', ['a', 'b']],
    ['a last line without a newline', 'a\nb', ['a', 'b']],
    ['empty lines', '\n\na\n', ['', '', 'a']],
    ['CRLF', 'a\r\nb\r\n', ['a', 'b']],
    ['several returns before the end', 'a\r\r\nb', ['a', 'b']],
    ['overwritten progress', '10%\r50%\r100%\ndone\n', ['100%', 'done']],
    ['progress that ends with a return', '10%\r100%\r', ['100%']],
    ['colours', '\x1b[0;32mok\x1b[0m\n', ['\x1b[0;32mok\x1b[0m']],
    ['cursor moves, titles and links', '\x1b[2K\x1b[1Aa\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c\n', ['abc']],
    ['an unfinished title without losing text', '\x1b]0;text\n', ['0;text']],
    ['NUL, bells and backspaces', 'a\0b\x07c\x08\n', ['abc']],
    ['eight-bit controls', 'a\u009b31mb\n', ['a31mb']],
    ['tabs', 'a\tb\n', ['a\tb']],
  ];
  it.each(table)('converts %s', (_, text, expected) => {
    expect(assemble(text).texts).toEqual(expected);
    expect(assemble(text, 1)).toEqual(assemble(text));
  });

  it.each([
    ['returns', '\r', '', 'a'],
    ['incomplete characters', '\ufffd', TRUNCATED, `${'\ufffd'.repeat(1 << 21)}a`],
  ])('converts a line with millions of %s quickly', (_, character, end, shown) => {
    const { text } = plainLine(Buffer.from(`${character.repeat(1 << 21)}a${end}`));
    expect(text === shown).toBe(true);
  });

  it('replaces only bytes that are not UTF-8', () => {
    expect(assemble(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a, 0xc3, 0xa4, 0x0a]), 1).texts).toEqual([
      'a\ufffd\ufffdb',
      'ä',
    ]);
  });

  it('breaks long lines without splitting characters, sequences or line ends', () => {
    for (const shift of [0, 1, 2, 3, 4, 5]) {
      const text = `${'a'.repeat(MAX_LINE_BYTES - 3 + shift)}€\x1b[31mred\x1b[0m\r\nnext\n`;
      const { texts, lines } = assemble(text, 1000);
      expect(texts.at(-1)).toBe('next');
      expect(texts.slice(0, -1).join('')).toBe(text.slice(0, text.indexOf('\r')));
      expect(lines.every((line) => Buffer.byteLength(line.text) <= MAX_LINE_BYTES)).toBe(true);
      expect(lines.at(-1)?.end).toBe(Buffer.byteLength(text));
    }
  });

  it('returns a line of exactly the maximum size in one piece', () => {
    expect(assemble(`${'a'.repeat(MAX_LINE_BYTES)}\nb\n`).texts.map((text) => text.length)).toEqual([
      MAX_LINE_BYTES,
      1,
    ]);
  });

  it('breaks a flood of output without line ends', () => {
    const { texts } = assemble('z'.repeat(1_000_000), 4096);
    expect(texts.length).toBe(Math.ceil(1_000_000 / MAX_LINE_BYTES));
    expect(texts.join('').length).toBe(1_000_000);
  });
});

describe('markers of the callback plugin', () => {
  it('are reported with the first line, and with the title after the last blank line', () => {
    const markers: (number | undefined)[][] = [];
    const assembler = new LineAssembler(new Masker([]), (number, line, _, title) =>
      markers.push([number, line, title]),
    );
    const push = (text: string) => assembler.push(Buffer.from(text));
    push(`[WARNING]: none\n\nPLAY [all] ***\n${markerText(1)}`);
    push(`\nTASK [x] ***\ntask path: y\n${markerText(2)}`);
    push(`ok: [one]\n\n${markerText(3)}`);
    expect(markers).toEqual([
      [1, 1, 3],
      [2, 5, 5],
      [3, 7, 7],
    ]);
  });

  it('are reported once, as soon as they are written, even if their line is incomplete', () => {
    const markers: [number, number | undefined][] = [];
    const assembler = new LineAssembler(new Masker(['secret']), (number, line) => markers.push([number, line]));
    const push = (text: string) => assembler.push(Buffer.from(text)).map((line) => line.text);
    expect(push(`\nTASK [Wait] ***\n${markerText(1).slice(0, -1)}`)).toEqual(['', 'TASK [Wait] ***']);
    expect(markers).toEqual([]);
    push(markerText(1).slice(-1));
    expect(markers).toEqual([[1, 2]]);
    push(markerText(2));
    expect(push('ok: [one]')).toEqual([]);
    expect(markers).toEqual([
      [1, 2],
      [2, undefined],
    ]);
    expect(assembler.position).toMatchObject({ line: 2, shown: 2 });
    expect(push(`\n${markerText(3)}`)).toEqual(['ok: [one]']);
    expect(push('last')).toEqual([]);
    expect(assembler.end().map((line) => line.text)).toEqual(['last']);
    expect(markers).toEqual([
      [1, 2],
      [2, undefined],
      [3, 3],
    ]);
  });

  it('are reported only when the lines before them can no longer be part of a secret', () => {
    const markers: [number, number | undefined][] = [];
    const assembler = new LineAssembler(new Masker(['first line\nsecond']), (number, line) =>
      markers.push([number, line]),
    );
    const push = (text: string) => assembler.push(Buffer.from(text)).map((line) => line.text);
    expect(push(`first line\n${markerText(1)}`)).toEqual([]);
    expect(markers).toEqual([]);
    expect(push('other\n')).toEqual(['****', 'other']);
    expect(markers).toEqual([[1, 1]]);
  });

  it('are reported with the first visible line since the previous marker', () => {
    const text = `prepared\n${markerText(0)}\nPLAY [x]\n${markerText(1)}\nTASK [y]\n${markerText(2)}ok: [a]\n${markerText(3)}${markerText(4)}\nRECAP\n${markerText(5)}`;
    const { markers, texts } = assemble(text);
    expect(markers).toEqual([
      [0, 1],
      [1, 3],
      [2, 5],
      [3, 6],
      [4, undefined],
      [5, 8],
    ]);
    expect(texts).toEqual(['prepared', '', 'PLAY [x]', '', 'TASK [y]', 'ok: [a]', '', 'RECAP']);
    expect(assemble(text, 1)).toEqual(assemble(text));
  });

  it('are found within 5 ms of the processor in a line that contains a thousand of them', () => {
    const line = Buffer.from(`a${markerText(7)}`.repeat(1000));
    const before = process.cpuUsage();
    for (let times = 0; times < 100; times += 1) expect(plainLine(line).markersAfter).toHaveLength(1000);
    const { user, system } = process.cpuUsage(before);
    // A flood of output has a thousand such lines a second.
    expect((user + system) / 1000 / 100).toBeLessThan(5);
  });

  it('are removed from the text, also in the middle of a line', () => {
    expect(plainLine(Buffer.from(`a${markerText(7)}b`))).toEqual({
      text: 'ab',
      markersBefore: [],
      markersAfter: [7],
      isTruncated: false,
    });
    expect(plainLine(Buffer.from(`\x1b[0m${markerText(7)}b`))).toEqual({
      text: '\x1b[0mb',
      markersBefore: [7],
      markersAfter: [],
      isTruncated: false,
    });
  });
});

describe('LineAssembler with very long matches', () => {
  const HELD = 200_000;

  it.each([
    ['one repeated character', ['aaaa'], 'a'.repeat(100)],
    ['repeated lines of a secret', ['aa\naa\naa'], 'aa\n'.repeat(50)],
    ['a repeated text', ['abab'], 'ab'.repeat(50)],
  ])('returns %s in chunks, all of them masked', (_, secrets, text) => {
    const masker = new Masker(secrets);
    const assembler = new LineAssembler(masker);
    const beginning = assembler.position;
    const given = [];
    for (let bytes = 0; bytes < 1_000_000; bytes += text.length * 1_000) {
      given.push(...assembler.push(Buffer.from(text.repeat(1_000))));
      // A reader that starts again must read the secret from its beginning.
      expect(assembler.position).toEqual(beginning);
    }
    expect(given.length).toBeGreaterThan(1_000_000 / HELD);
    given.push(...assembler.push(Buffer.from('-\nthe next\n')), ...assembler.end());
    const shown = given.map((line) => line.text);
    expect(shown.slice(-2)).toEqual([expect.stringMatching(/^(\*{4})?-$/), 'the next']);
    expect(new Set(shown.slice(0, -2))).toEqual(new Set(['****']));
    expect(assembler.position.line).toBe(given.length);
  });

  it('masks a secret that crosses the end of a chunk', () => {
    const secrets = ['aaaa', `aaaa${'x'.repeat(5_000)}tail`];
    const assembler = new LineAssembler(new Masker(secrets));
    const text = Array.from({ length: 40 }, (_, n) => `${'a'.repeat(9_000 + n)}${secrets[1]}`).join('');
    const given = [...assembler.push(Buffer.from(text)), ...assembler.end()];
    expect(given.map((line) => line.text).join('')).toMatch(/^[*]+$/);
    const inPieces = new LineAssembler(new Masker(secrets));
    const again = [];
    for (let at = 0; at < text.length; at += 7_001)
      again.push(...inPieces.push(Buffer.from(text.slice(at, at + 7_001))));
    expect([...again, ...inPieces.end()]).toEqual(given);
    expect(given.length).toBeGreaterThan(5);
  });
});

it('LineAssembler masks lines completely if very many of them carry the marker of a truncated line', () => {
  const masker = new Masker([`secret-${'k'.repeat(4_000)}`]);
  const assembler = new LineAssembler(masker);
  const given = assembler.push(Buffer.from('text\u001b_signalbox;torn\u001b\\\n'.repeat(100_000)));
  expect(given).toHaveLength(100_000);
  expect(given[0]?.text).toBe('text');
  expect(given.at(-1)?.text).toBe('****');
});
