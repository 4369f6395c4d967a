import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from './architecture/source-files.ts';
import { findRefusedWords, type WordFinding } from './words/findings.ts';

/** Files whose words count: programs, documents and the English catalogues. */
const CHECKED = /\.(ts|tsx|mjs|md|py)$|(^|\/)en\.json$/;
/** The list itself, and descriptions of released versions. */
const NOT_CHECKED = /^tooling\/words|^docs\/api\/released\//;

const countBy = (findings: readonly WordFinding[], keyOf: (finding: WordFinding) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return counts;
};

const printCounts = (counts: ReadonlyMap<string, number>): void => {
  for (const [key, number] of [...counts].sort(([, a], [, b]) => b - a))
    console.log(`${String(number).padStart(6)}  ${key}`);
};

const printFindings = (findings: readonly WordFinding[]): void => {
  for (const { path, line, word, instead, text } of findings)
    console.log(`${path}:${line}\n  "${word}" is refused. Use: ${instead}.\n  ${text}\n`);
};

/**
 * `node tooling/words.check.ts [root]` refuses the words of `tooling/words/word-list.ts` in names, prose and English
 * catalogues. `--list PATH` prints every finding below a path, `--words PATH` counts the findings by word.
 */
const [mode, below = ''] = process.argv.slice(2);
const isReport = mode === '--list' || mode === '--words';
const root = resolve((isReport ? undefined : mode) ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
const findings = listFiles(root)
  .filter((path) => CHECKED.test(path) && !NOT_CHECKED.test(path) && path.startsWith(below))
  .flatMap((path) => findRefusedWords(path, readFileSync(join(root, path), 'utf8')));

if (mode === '--words') printCounts(countBy(findings, ({ word }) => word.toLowerCase()));
else printFindings(findings);
if (!isReport && findings.length > 0) process.exitCode = 1;
console.log(`${findings.length} refused words`);
