import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findForbiddenDependencies } from './architecture/dependencies.ts';
import { findBadNames, findDialectChecks, findLongFiles, type SizeBudget } from './architecture/files.ts';
import { findLayerViolations, findRunnerCycles } from './architecture/runner-layers.ts';
import { listFiles, readPrograms, readStyleSheets } from './architecture/source-files.ts';

/**
 * `node tooling/architecture.check.ts [root]` checks the dependencies between folders, file names and file sizes. The rules
 * follow the folder tree, so they apply to a new feature without being edited.
 */
const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
const budgetFile = join(root, 'tooling/architecture/file-size-budget.json');
const budget: SizeBudget = existsSync(budgetFile) ? JSON.parse(readFileSync(budgetFile, 'utf8')) : {};

const paths = listFiles(root);
const programs = readPrograms(root, paths);
const violations = [
  ...findForbiddenDependencies(programs),
  ...findLayerViolations(programs),
  ...findRunnerCycles(programs),
  ...findBadNames(paths),
  ...findLongFiles([...programs, ...readStyleSheets(root, paths)], budget),
  ...findDialectChecks(programs),
];
for (const { path, line, message } of violations) console.error(`${path}:${line}\n  ${message}\n`);
console.log(`${programs.length} programs, ${paths.length} files, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
