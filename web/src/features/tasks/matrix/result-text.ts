/** One item of a loop, as the log shows it. */
export interface ShownItem {
  readonly name: string;
  readonly result: string;
}

/** The content of the log lines of a result, as far as it can be read. */
export interface ResultText {
  readonly stderr: string;
  readonly stdout: string;
  readonly attempts: number | undefined;
  readonly items: readonly ShownItem[];
  readonly diff: readonly string[];
}

const HEAD = /^(fatal|failed|ok|changed|skipping|unreachable): \[([^\]]+)\](.*)$/;
const ITEM = /\(item=(.*?)\)(?: => |$)/;
/** The first line of a difference, as `--diff` prints it. */
const DIFF_FROM = /^--- /;

/** A further line of a difference, and of a result that is printed on several lines. */
const OF_DIFF = /^(?:[-+ @\\]|$)/;
const CONTINUED = /^(?:\s|[}\]]|$)/;

/**
 * The positions of the lines of a host: its results, and the differences that are printed before them. Hosts print their
 * results in turn, and the items of loops of several hosts are mixed.
 */
export const positionsOf = (lines: readonly string[], host: string): number[] => {
  const own: number[] = [];
  let difference: number[] = [];
  let isOwn = false;
  for (const [at, line] of lines.entries()) {
    const name = HEAD.exec(line)?.[2]?.replace(/ -> .*/, '');
    if (name !== undefined) {
      isOwn = name === host;
      if (isOwn) own.push(...difference, at);
      difference = [];
    } else if (DIFF_FROM.test(line) || (difference.length > 0 && OF_DIFF.test(line))) {
      isOwn = false;
      difference.push(at);
    } else if (isOwn && CONTINUED.test(line)) own.push(at);
    else {
      isOwn = false;
      difference = [];
    }
  }
  return own;
};

const objectOf = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

/** The values that a result prints after `=>`, on one line or, with other output formats, on several. */
const valuesOf = (lines: readonly string[]): Record<string, unknown> => {
  const at = lines.findIndex((line) => HEAD.test(line) && !ITEM.test(line) && line.includes('=> {'));
  const first = lines[at];
  if (first === undefined) return {};
  const start = first.slice(first.indexOf('=> {') + 3);
  const end = lines.findIndex((line, index) => index > at && HEAD.test(line));
  const rest = lines.slice(at + 1, end < 0 ? lines.length : end);
  const single = objectOf(start);
  return Object.keys(single).length > 0 ? single : objectOf([start, ...rest].join('\n'));
};

const itemsOf = (lines: readonly string[]): ShownItem[] =>
  lines.flatMap((line) => {
    const [, result = '', , rest = ''] = HEAD.exec(line) ?? [];
    const name = ITEM.exec(rest)?.[1];
    return name === undefined ? [] : [{ name, result }];
  });

/** The lines of all differences: each item of a loop has its own. */
const diffOf = (lines: readonly string[]): string[] => {
  let isInside = false;
  return lines.filter((line) => {
    if (DIFF_FROM.test(line)) isInside = true;
    else if (HEAD.test(line)) isInside = false;
    return isInside;
  });
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Reads what a result printed. Lines in another format give nothing; the log itself is shown below. */
export const readResult = (lines: readonly string[]): ResultText => {
  const values = valuesOf(lines);
  const { attempts } = values;
  return {
    stderr: textOf(values.module_stderr) || textOf(values.stderr),
    stdout: textOf(values.stdout),
    attempts: typeof attempts === 'number' && attempts > 1 ? attempts : undefined,
    items: itemsOf(lines),
    diff: diffOf(lines),
  };
};
