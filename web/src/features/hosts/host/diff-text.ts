export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'position' | 'same';
  readonly text: string;
}

/** The lines of a difference. Those that name its two sides are left out: the title names the file. */
export const diffLines = (diff: string): DiffLine[] =>
  diff.split('\n').flatMap((text): DiffLine[] => {
    if (/^(?:---|\+\+\+) /.test(text)) return [];
    if (text.startsWith('@@')) return [{ kind: 'position', text }];
    if (text.startsWith('+')) return [{ kind: 'added', text }];
    if (text.startsWith('-')) return [{ kind: 'removed', text }];
    return [{ kind: 'same', text }];
  });

/** How many lines a difference adds and removes. */
export const diffCounts = (diff: string): { readonly added: number; readonly removed: number } => {
  const lines = diffLines(diff);
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
};
