// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** A line of a log without its colours. */
export const plainText = (line: string): string => line.replaceAll(COLOURS, '');
