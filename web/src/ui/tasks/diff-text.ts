export interface DiffLine {
  /** A header names a side of the difference. */
  readonly kind: 'header' | 'position' | 'added' | 'removed' | 'same';
  readonly text: string;
}

/** The numbers of lines before and after a change. */
const POSITION = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** The lines of differences, of one file or more. A removed `-- comment` resembles a header, so lines are counted. */
export const diffLines = (lines: readonly string[]): DiffLine[] => {
  let [before, after] = [0, 0];
  return lines.map((text): DiffLine => {
    if (text.startsWith('@@')) {
      const [, removed = '1', added = '1'] = POSITION.exec(text) ?? [];
      [before, after] = [Number(removed), Number(added)];
      return { kind: 'position', text };
    }
    if (before <= 0 && after <= 0 && /^(?:---|\+\+\+) /.test(text)) return { kind: 'header', text };
    const kind = text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'same';
    const isRemark = text.startsWith('\\');
    if (kind !== 'added' && !isRemark) before -= 1;
    if (kind !== 'removed' && !isRemark) after -= 1;
    return { kind, text };
  });
};

/** How many lines differences add and remove. */
export const diffCounts = (lines: readonly string[]): { readonly added: number; readonly removed: number } => {
  const kinds = diffLines(lines).map(({ kind }) => kind);
  return {
    added: kinds.filter((kind) => kind === 'added').length,
    removed: kinds.filter((kind) => kind === 'removed').length,
  };
};
