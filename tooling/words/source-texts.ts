import { parseSync } from 'oxc-parser';

/** A part of a file that people read. */
export interface SourceText {
  readonly kind: 'names' | 'prose';
  readonly text: string;
  readonly line: number;
}

/** Splits `handOver`, `hand_over` and `hand-over.ts` into words in lower case, with spaces between them. */
export const splitName = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase();

const makeLineFinder = (text: string): ((offset: number) => number) => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
};

/** A string is prose when it has several words. Other strings are data, such as codes, paths and SQL names. */
const isProse = (text: string): boolean => /[A-Za-z]{2,}[,;:]? [A-Za-z]/.test(text);

/** Calls a function with each node of a syntax tree. */
const visit = (node: unknown, each: (node: Record<string, unknown>) => void): void => {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, each);
  } else if (typeof node === 'object' && node !== null) {
    const record = node as Record<string, unknown>;
    if (typeof record.type === 'string') each(record);
    for (const child of Object.values(record)) if (typeof child === 'object') visit(child, each);
  }
};

const readProgram = (path: string, text: string): SourceText[] => {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const lineOf = makeLineFinder(text);
  const found: SourceText[] = comments.map(({ value, start }) => ({ kind: 'prose', text: value, line: lineOf(start) }));
  visit(program, (node) => {
    const line = () => lineOf(Number(node.start));
    const value = node.type === 'TemplateElement' ? (node.value as { cooked?: string }).cooked : node.value;
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier' || node.type === 'JSXIdentifier')
      found.push({ kind: 'names', text: splitName(String(node.name)), line: line() });
    else if (
      (node.type === 'Literal' || node.type === 'TemplateElement') &&
      typeof value === 'string' &&
      isProse(value)
    )
      found.push({ kind: 'prose', text: value, line: line() });
  });
  return found;
};

/** Code in a document belongs to the code that it quotes. */
const withoutCode = (text: string): string =>
  text
    .replace(/^(```|~~~).*?^\1/gms, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]+`/g, '')
    .replace(/\]\([^)\n]*\)/g, ']');

const readLines = (text: string): SourceText[] =>
  text.split('\n').map((line, index) => ({ kind: 'prose', text: line, line: index + 1 }));

/** Catalogues of one language in JSON: the keys are names, the values are prose. */
const readCatalogue = (text: string): SourceText[] =>
  text.split('\n').flatMap((line, index): SourceText[] => {
    const [, key, value] = /^\s*"([^"]+)":\s*(?:"(.*)")?/.exec(line) ?? [];
    return [
      { kind: 'names', text: splitName(key ?? ''), line: index + 1 },
      { kind: 'prose', text: (value ?? '').replaceAll(/\{\{[^}]*\}\}/g, ''), line: index + 1 },
    ];
  });

/** In Python, names and prose are not distinguished: each word of a line counts as both. */
const readScript = (text: string): SourceText[] =>
  text.split('\n').flatMap((line, index): SourceText[] => [
    { kind: 'names', text: splitName(line), line: index + 1 },
    { kind: 'prose', text: line, line: index + 1 },
  ]);

/** Returns the names and the prose of a file. */
export const readSourceTexts = (path: string, text: string): SourceText[] => {
  const name: SourceText = { kind: 'names', text: splitName(path), line: 1 };
  if (/\.(ts|tsx|mjs)$/.test(path)) return [name, ...readProgram(path, text)];
  if (path.endsWith('.md')) return [name, ...readLines(withoutCode(text))];
  if (path.endsWith('.json')) return [name, ...readCatalogue(text)];
  return [name, ...readScript(text)];
};
