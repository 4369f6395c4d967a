import { describe, expect, it } from 'vitest';
import { diffCounts, diffLines } from './diff-text.ts';

const HEAD = ['--- before: /etc/a', '+++ after: /etc/a'];

describe('the lines of differences', () => {
  it('contain removed comments that resemble a header, also before the headers of the next file', () => {
    const first = [...HEAD, '@@ -1,2 +1,2 @@', '--- a comment', '+++ b', ' same'];
    const lines = diffLines([...first, ...HEAD, '@@ -1 +0,0 @@', '-x']);
    expect(lines.map(({ kind }) => kind)).toEqual([
      ...['header', 'header', 'position', 'removed', 'added', 'same'],
      ...['header', 'header', 'position', 'removed'],
    ]);
    expect(diffCounts([...first, '\\ No newline at end of file', ...HEAD])).toEqual({ added: 1, removed: 1 });
  });

  it('are recognized without positions', () => {
    expect(diffCounts([...HEAD, '-a', '+b', '+c', ''])).toEqual({ added: 2, removed: 1 });
  });
});
