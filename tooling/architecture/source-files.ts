import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Import {
  /** The text of the import: a package, a `node:` module or a relative path. */
  readonly source: string;
  readonly line: number;
  /** Whether the import is removed at run time, because it imports only types. */
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** Path relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** Names of folders. The results of tests and benchmarks are paths, because folders of the source are called `results` too. */
const LEFT_OUT = new Set([
  'e2e/results',
  'bench/results',
  'node_modules',
  'dist',
  'data',
  'coverage',
  'test-results',
  '__pycache__',
]);

/** All files of the tree, sorted, except installed, built and hidden files. */
export const listFiles = (root: string, folder = ''): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(
      (entry) => !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name) && !LEFT_OUT.has(`${folder}/${entry.name}`),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? listFiles(root, path) : [path];
    });

const isProgram = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path);

const importsOf = (path: string, text: string): Import[] => {
  const { module, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const found: Import[] = [];
  for (const { start, moduleRequest, entries } of module.staticImports) {
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ source: moduleRequest.value, line: lineOf(start), typeOnly });
  }
  for (const { start, entries } of module.staticExports) {
    const request = entries.find((entry) => entry.moduleRequest)?.moduleRequest;
    if (request) found.push({ source: request.value, line: lineOf(start), typeOnly: entries.every((e) => e.isType) });
  }
  for (const { start, moduleRequest } of module.dynamicImports) {
    const literal = /^(['"`])(.*)\1$/s.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2];
    if (literal !== undefined) found.push({ source: literal, line: lineOf(start), typeOnly: false });
  }
  return found;
};

/** Reads the style sheets among `paths`. */
export const readStyleSheets = (root: string, paths: readonly string[]): Pick<SourceFile, 'path' | 'text'>[] =>
  paths.filter((path) => path.endsWith('.css')).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Reads the programs among `paths` and finds what each imports. */
export const readPrograms = (root: string, paths: readonly string[]): SourceFile[] =>
  paths.filter(isProgram).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, imports: importsOf(path, text) };
  });
