/** The text of a row between two positions; the whole text without them. */
const partOf = (text: Node, range: Range): string => {
  const part = document.createRange();
  part.selectNodeContents(text);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
  return part.toString().replace(/\n$/, '');
};

/**
 * The text to copy from the log: lines without numbers, times and headers.
 * @param lineText returns the text of the line that a header replaces
 */
export const copiedText = (
  rows: Iterable<HTMLElement>,
  range: Range,
  lineText: (line: number) => string | undefined,
): string => {
  const lines: string[] = [];
  for (const row of rows) {
    if (!range.intersectsNode(row)) continue;
    const text = row.querySelector('[data-text]');
    if (text === null) lines.push(lineText(Number(row.dataset.line)) ?? '');
    else if (range.intersectsNode(text)) lines.push(partOf(text, range));
  }
  return lines.join('\n');
};
