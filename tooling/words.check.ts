import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from './architecture/source-files.ts';
import { findRefusedWords } from './words/findings.ts';

/** Files whose words count: programs, documents and the English catalogues. */
const CHECKED = /\.(ts|tsx|mjs|md|py)$|(^|\/)en\.json$/;
/** The list itself, and what quotes other texts. */
const NOT_CHECKED = /^tooling\/words|^docs\/api\/released\//;

/**
 * `node tooling/words.check.ts [root]` refuses the words of `tooling/words/word-list.ts` in names, prose and English
 * catalogues. `--list PATH` prints every finding below a path, `--words PATH` counts the findings by word.
 */
const root = resolve(join(dirname(fileURLToPath(import.meta.url)), '..'));
const [mode, below = ''] = process.argv.slice(2);
const findings = listFiles(root)
  .filter((path) => CHECKED.test(path) && !NOT_CHECKED.test(path) && path.startsWith(below))
  .flatMap((path) => findRefusedWords(path, readFileSync(join(root, path), 'utf8')));

const count = (keyOf: (finding: (typeof findings)[number]) => string): string => {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([key, number]) => `${String(number).padStart(6)}  ${key}`)
    .join('\n');
};

if (mode === '--list')
  for (const { path, line, word, instead, text } of findings)
    console.log(`${path}:${line} ${word} (${instead}): ${text}`);
else if (mode === '--words') console.log(count(({ word }) => word.toLowerCase()));
else console.log(count(({ path }) => path.split('/').slice(0, 3).join('/')));
console.log(`${findings.length} refused words`);
