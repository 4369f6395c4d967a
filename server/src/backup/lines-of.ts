const NEWLINE = 0x0a;
/**
 * Maximum length of a line in bytes. The longest real row is an inventory of 2 MiB; a longer line would fill the
 * memory.
 */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

/**
 * Yields the lines of a UTF-8 text without line breaks.
 * @param longest maximum length of a line, in bytes
 * @throws RangeError for a longer line
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  longest = MAX_LINE_BYTES,
): AsyncGenerator<string, undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  const taken = (last: Buffer): string => {
    const line = Buffer.concat([...parts, last]).toString('utf8');
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield taken(chunk.subarray(from, end));
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) continue;
    size += rest.length;
    if (size > longest) throw new RangeError(`A line is longer than ${longest} bytes.`);
    parts.push(rest);
  }
  if (size > 0) yield taken(Buffer.alloc(0));
}
