import { describe, expect, it } from 'vitest';
import { linesOf } from './lines-of.ts';

const from = async function* (...chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
};

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

describe('reading the lines of a text', () => {
  it('finds the lines wherever the chunks end, even inside a character', async () => {
    const text = utf8('one\n\nzwei – ü\nthree');
    for (let cut = 0; cut <= text.length; cut++) {
      const lines = await Array.fromAsync(linesOf(from(text.slice(0, cut), text.slice(cut))));
      expect(lines, String(cut)).toEqual(['one', '', 'zwei – ü', 'three']);
    }
  });

  it('refuses a line that is too long', async () => {
    const endless = linesOf(from('short\n', 'x'.repeat(60), 'x'.repeat(60)), 100);
    expect(await endless.next()).toEqual({ value: 'short', done: false });
    await expect(endless.next()).rejects.toThrow('longer than 100 bytes');
  });
});
