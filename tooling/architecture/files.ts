import { knowsDatabase, type Violation } from './dependencies.ts';
import type { SourceFile } from './source-files.ts';

/** Maximum length of a file, in lines. A longer file needs an entry with its reason in file-size-budget.json. */
const MAX_LINES = 400;

export type SizeBudget = Record<string, { readonly lines: number; readonly because: string }>;

/** Names that tools expect in exactly this spelling. */
const GIVEN_NAMES = new Set(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'Dockerfile']);
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
/** Files that Python or Ansible imports by name: the name of a module cannot contain a hyphen. */
const SNAKE = /^_*[a-z0-9]+(_+[a-z0-9]+)*_*(\.[a-z0-9]+)*$/;
const MEANINGLESS = /^(utils?|helpers?|misc|common|shared)([.-]|$)/;

/** Finds files and folders whose names are not in kebab-case or have no meaning. */
export const findBadNames = (paths: readonly string[]): Violation[] => {
  const names = new Map<string, string>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth += 1)
      names.set(parts.slice(0, depth).join('/'), parts[depth - 1] ?? '');
  }
  return [...names].flatMap(([path, name]) => {
    const snake = name.endsWith('.py') || /^demo\/|^runner\/src\/apps\/ansible\/callback_plugins(\/|$)/.test(path);
    if (MEANINGLESS.test(name)) {
      return [
        {
          path,
          line: 1,
          message: `The name ${name} has no meaning. Name the noun and its role, as git-mirror.ts or task.store.ts do.`,
        },
      ];
    }
    if (GIVEN_NAMES.has(name) || KEBAB.test(name) || (snake && SNAKE.test(name))) return [];
    return [
      {
        path,
        line: 1,
        message: `The name ${name} is not kebab-case. Write the noun, then the role: task-log.tsx, task.store.ts.`,
      },
    ];
  });
};

const linesOf = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/**
 * Finds files above {@link MAX_LINES} without a budget, files above their budget, and budgets that are no longer needed.
 */
export const findLongFiles = (files: readonly Pick<SourceFile, 'path' | 'text'>[], budget: SizeBudget): Violation[] => {
  const violations = files.flatMap(({ path, text }) => {
    const lines = linesOf(text);
    const most = Math.max(MAX_LINES, budget[path]?.lines ?? 0);
    if (lines <= most) return [];
    const message = `${lines} lines are more than ${most}. Split it by what it does; to keep it whole, add the reason to tooling/architecture/file-size-budget.json.`;
    return [{ path, line: most + 1, message }];
  });
  const idle = Object.keys(budget).filter((path) => {
    const file = files.find((one) => one.path === path);
    return !file || linesOf(file.text) <= MAX_LINES;
  });
  return [
    ...violations,
    ...idle.map((path) => ({ path, line: 1, message: 'Its size budget is no longer needed: remove the entry.' })),
  ];
};

const DATABASE_NAME = `['"](?:sqlite|postgres|postgresql|pg)['"]`;
const CHECKS_DIALECT = new RegExp(
  [
    `\\bdialect\\s*[!=]==?`,
    `[!=]==?\\s*${DATABASE_NAME}`,
    `${DATABASE_NAME}\\s*[!=]==?`,
    `\\bcase\\s+${DATABASE_NAME}`,
  ].join('|'),
);

/** Finds code outside server/src/database/ that checks which database it uses. */
export const findDialectChecks = (files: readonly SourceFile[]): Violation[] =>
  files
    .filter(({ path }) => /^(server|runner|web|contract)\//.test(path) && !knowsDatabase(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) =>
        CHECKS_DIALECT.test(line)
          ? [
              {
                path,
                line: index + 1,
                message:
                  'Only server/src/database/ may know the kind of the database. Add a capability there, such as database.canListen, and check that.',
              },
            ]
          : [],
      ),
    );
