import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findForbiddenArrows } from './architecture/arrows.ts';
import { findBadNames, findDialectQuestions, findLongFiles, type SizeBudget } from './architecture/files.ts';
import { listFiles, readPrograms, readStyleSheets } from './architecture/source-files.ts';

/**
 * `node tooling/architecture.check.ts [root]`: the walls between folders, which a linter that looks at one file cannot
 * see. The zones come from the folders themselves, so a new feature is fenced on its first day.
 */
const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
const budgetFile = join(root, 'tooling/architecture/file-size-budget.json');
const budget: SizeBudget = existsSync(budgetFile) ? JSON.parse(readFileSync(budgetFile, 'utf8')) : {};

const paths = listFiles(root);
const programs = readPrograms(root, paths);
const faults = [
  ...findForbiddenArrows(programs),
  ...findBadNames(paths),
  ...findLongFiles([...programs, ...readStyleSheets(root, paths)], budget),
  ...findDialectQuestions(programs),
];
for (const { path, line, message } of faults) console.error(`${path}:${line}\n  ${message}\n`);
console.log(`${programs.length} programs, ${paths.length} files, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
