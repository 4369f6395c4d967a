import { type Fault, knowsDatabase } from './arrows.ts';
import type { SourceFile } from './source-files.ts';

/** Longest file, in lines. A longer one needs an entry with its reason in file-size-budget.json. */
const MAX_LINES = 400;

export type SizeBudget = Record<string, { readonly lines: number; readonly because: string }>;

/** Names that others look for by their exact spelling. */
const GIVEN_NAMES = new Set(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'Dockerfile']);
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
/** Python and Ansible import files by name, and a module's name has no hyphen. */
const SNAKE = /^_*[a-z0-9]+(_+[a-z0-9]+)*_*(\.[a-z0-9]+)*$/;
const SAYS_NOTHING = /^(utils?|helpers?|misc|common|shared)([.-]|$)/;

/** A name says noun and role, in kebab-case. */
export const findBadNames = (paths: readonly string[]): Fault[] => {
  const names = new Map<string, string>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth += 1)
      names.set(parts.slice(0, depth).join('/'), parts[depth - 1] ?? '');
  }
  return [...names].flatMap(([path, name]) => {
    const snake = name.endsWith('.py') || /^(demo|runner\/ansible)\//.test(path);
    if (SAYS_NOTHING.test(name)) {
      return [
        {
          path,
          line: 1,
          message: `The name ${name} says nothing. Name the noun and its role, as git-mirror.ts or task.store.ts do.`,
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

/** Files above {@link MAX_LINES} without a budget, above their budget, and budgets that nobody needs any more. */
export const findLongFiles = (files: readonly Pick<SourceFile, 'path' | 'text'>[], budget: SizeBudget): Fault[] => {
  const faults = files.flatMap(({ path, text }) => {
    const lines = linesOf(text);
    const most = Math.max(MAX_LINES, budget[path]?.lines ?? 0);
    if (lines <= most) return [];
    const message = `${lines} lines are more than ${most}. Split it by what it does; a reason to keep it whole goes into tooling/architecture/file-size-budget.json.`;
    return [{ path, line: most + 1, message }];
  });
  const idle = Object.keys(budget).filter((path) => {
    const file = files.find((one) => one.path === path);
    return !file || linesOf(file.text) <= MAX_LINES;
  });
  return [
    ...faults,
    ...idle.map((path) => ({ path, line: 1, message: 'Its size budget is not needed any more: remove the entry.' })),
  ];
};

const DATABASE_NAME = `['"](?:sqlite|postgres|postgresql|pg)['"]`;
const ASKS_DIALECT = new RegExp(
  [
    `\\bdialect\\s*[!=]==?`,
    `[!=]==?\\s*${DATABASE_NAME}`,
    `${DATABASE_NAME}\\s*[!=]==?`,
    `\\bcase\\s+${DATABASE_NAME}`,
  ].join('|'),
);

/** Places outside server/src/database/ that ask which database it is. */
export const findDialectQuestions = (files: readonly SourceFile[]): Fault[] =>
  files
    .filter(({ path }) => /^(server|runner|web|contract)\//.test(path) && !knowsDatabase(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) =>
        ASKS_DIALECT.test(line)
          ? [
              {
                path,
                line: index + 1,
                message:
                  'Only server/src/database/ asks which database it is. Give the difference a name there, as a capability such as database.canListen, and ask for that.',
              },
            ]
          : [],
      ),
    );
