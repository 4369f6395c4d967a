import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A small house in which everything stands where it belongs. */
const CLEAN: Record<string, string> = {
  'contract/src/status.ts': "import { z } from 'zod';\n\nexport const Status = z.enum(['waiting', 'success']);\n",
  'contract/src/index.ts': "export * from './status.ts';\n",
  'runner/src/config.ts': "export const token = process.env.SIGNALBOX_TOKEN ?? '';\n",
  'runner/src/process/spawn.ts': "import { spawn } from 'node:child_process';\n\nexport const start = spawn;\n",
  'runner/src/main.ts': "import { Status } from '@signalbox/contract';\n\nexport const first = Status.options[0];\n",
  'server/src/database/dialect.ts':
    "import { DatabaseSync } from 'node:sqlite';\n\nexport const open = DatabaseSync;\n",
  'server/src/features/tasks/task.store.ts': 'export const tasks: string[] = [];\n',
  'server/src/features/projects/project.store.ts': 'export const projects: string[] = [];\n',
  'tooling/product/product.ts': 'export const startProduct = (): string => "started";\n'.replaceAll('"', "'"),
  'e2e/demo.spec.ts':
    "import { startProduct } from '../tooling/product/product.ts';\n\nexport const product = startProduct();\n",
  'web/src/api/client.ts':
    "import type { Status } from '@signalbox/contract';\n\nexport const isOver = (status: Status): boolean => status === 'success';\n",
  'web/src/features/tasks/task-list.tsx':
    "import { Badge } from '../../ui/badge.tsx';\n\nexport const TaskList = Badge;\n",
  'web/src/features/history/history.tsx': 'export const History = (): string => "";\n'.replaceAll('"', "'"),
  'web/src/ui/badge.tsx': "export const Badge = (): string => 'badge';\n",
};

let root: string;

const plant = (path: string, text: string): void => {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

const run = (file: string, args: string[]): Promise<{ failed: boolean; output: string }> =>
  new Promise((resolve) => {
    execFile(file, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: `${stdout}${stderr}`.replace(/\s+/g, ' ') });
    });
  });
const lint = () =>
  run(join(ROOT, 'node_modules/.bin/biome'), ['check', '--colors=off', '--error-on-warnings', '--max-diagnostics=20']);
const checkWalls = () => run(process.execPath, [join(ROOT, 'tooling/architecture.check.ts'), root]);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-walls-'));
  for (const path of ['biome.json', '.gitignore', 'tooling/lint'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  for (const [path, text] of Object.entries(CLEAN)) plant(path, text);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('lets a house pass in which everything stands where it belongs', async () => {
  expect(await lint()).toMatchObject({ failed: false });
  expect(await checkWalls()).toMatchObject({ failed: false, output: expect.stringContaining('0 faults') });
});

interface Violation {
  readonly rule: string;
  readonly path: string;
  readonly text: string;
  /** What the refusal says beside where it is. */
  readonly teaches: string;
}

const importing = (source: string): string => `import { thing } from '${source}';\n\nexport const other = thing;\n`;

const LINTED: Violation[] = [
  {
    rule: 'no process is started outside the one place',
    path: 'server/src/features/tasks/task.service.ts',
    text: "import { execFile } from 'node:child_process';\n\nexport const launch = execFile;\n",
    teaches: 'call what runner/src/process/ offers',
  },
  {
    rule: 'the environment is read in config.ts alone',
    path: 'server/src/features/tasks/task.service.ts',
    text: 'export const url = process.env.SIGNALBOX_URL;\n',
    teaches: 'Use a centralized configuration file instead',
  },
  {
    rule: 'nor is it read by a side door',
    path: 'runner/src/task.ts',
    text: "import { env } from 'node:process';\n\nexport const url = env.SIGNALBOX_URL;\n",
    teaches: 'Settings are read once, in the config.ts of each package',
  },
  {
    rule: 'password inputs are those with a translated button',
    path: 'web/src/features/tasks/password.tsx',
    text: "import { PasswordInput } from '@mantine/core';\n\nexport const Password = PasswordInput;\n",
    teaches: 'use PasswordInput from web/src/ui/password-input.tsx',
  },
  {
    rule: 'no any',
    path: 'runner/src/task.ts',
    text: 'export const same = (value: any): unknown => value;\n',
    teaches: 'use unknown and narrow it',
  },
  {
    rule: 'no module mocks',
    path: 'runner/src/task.test.ts',
    text: "import { vi } from 'vitest';\n\nvi.mock('./process/spawn.ts');\n",
    teaches: 'Hand the object a real collaborator',
  },
  {
    rule: 'no module mocks later in a test either',
    path: 'runner/src/task.test.ts',
    text: "import { vi } from 'vitest';\n\nvi.doMock('./process/spawn.ts', () => ({}));\n",
    teaches: 'Hand the object a real collaborator',
  },
  {
    rule: 'no skipped tests',
    path: 'runner/src/task.test.ts',
    text: "import { it } from 'vitest';\n\nit.skip('works', () => {});\n",
    teaches: 'Every test runs, everywhere',
  },
  {
    rule: 'no promise is left alone',
    path: 'runner/src/task.ts',
    text: 'const save = async (): Promise<void> => {};\nexport const end = (): void => {\n  save();\n};\n',
    teaches: 'A "floating" Promise was found',
  },
  {
    rule: 'no default exports',
    path: 'runner/src/task.ts',
    text: 'const limit = 1;\nexport default limit;\n',
    teaches: 'Use a named export instead',
  },
  {
    rule: 'the contract does nothing',
    path: 'contract/src/client.ts',
    text: "export const ask = (): Promise<Response> => fetch('/api/ping');\n",
    teaches: 'the client that calls is in web/src/api/',
  },
  {
    rule: 'one format',
    path: 'runner/src/task.ts',
    text: 'export const limit = "1"\n',
    teaches: 'Formatter would have printed',
  },
];

describe('the linter refuses a planted violation and teaches', () => {
  it.each(LINTED)('$rule', async ({ path, text, teaches }) => {
    plant(path, text);
    const { failed, output } = await lint();
    expect(output).toContain(path);
    expect(output).toContain(teaches);
    expect(failed).toBe(true);
  });

  it('no import cycles', async () => {
    plant('runner/src/a.ts', "import { b } from './b.ts';\n\nexport const a = (): number => b();\n");
    plant('runner/src/b.ts', "import { a } from './a.ts';\n\nexport const b = (): number => a();\n");
    const { failed, output } = await lint();
    expect(output).toContain('This import is part of a cycle');
    expect(failed).toBe(true);
  });
});

const WALLED: Violation[] = [
  {
    rule: 'the runner does not know the server',
    path: 'runner/src/task.ts',
    text: importing('@signalbox/server/main'),
    teaches: 'runner/ must not import server/, only contract/. Say what both sides need in contract/',
  },
  {
    rule: 'the server does not import the runner, by a path either',
    path: 'server/src/dispatch/local-runner.starter.ts',
    text: importing('../../../runner/src/main.ts'),
    teaches:
      'server/ must not import runner/, only contract, lang/. Say what both sides need in contract/, and talk to it over the runner link',
  },
  {
    rule: 'nor does a dynamic import or an export climb over',
    path: 'web/src/api/call.ts',
    text: "export * from '../../../server/src/database/dialect.ts';\n\nexport const late = () => import('@signalbox/runner/main');\n",
    teaches: 'web/ must not import runner/, only contract, lang/',
  },
  {
    rule: 'the page loads one catalogue at a time',
    path: 'web/src/lang/messages.ts',
    text: importing('@signalbox/lang/catalogues'),
    teaches: 'import() a file such as @signalbox/lang/errors/de.json',
  },
  {
    rule: 'the sentences need no schema',
    path: 'lang/src/sentence.ts',
    text: importing('@signalbox/contract'),
    teaches: 'lang/ takes only types from the contract',
  },
  {
    rule: 'browser tests use the product, not its parts',
    path: 'e2e/sign-in.spec.ts',
    text: importing('../server/src/features/tasks/task.store.ts'),
    teaches: 'e2e/ must not import server/, only contract/',
  },
  {
    rule: 'browser tests share nothing with the commands but how the product is started',
    path: 'e2e/start.spec.ts',
    text: importing('../tooling/settings.mjs'),
    teaches: 'e2e/ must not import tooling/, only contract/',
  },
  {
    rule: 'benchmarks use the product, not its parts',
    path: 'bench/flood.ts',
    text: importing('@signalbox/runner/main'),
    teaches: 'bench/ must not import runner/, only contract/',
  },
  {
    rule: 'the contract imports none of the others',
    path: 'contract/src/tasks.ts',
    text: importing('../../server/src/features/tasks/task.store.ts'),
    teaches: 'contract/ must not import server/: it is what all others share',
  },
  {
    rule: 'the contract imports zod alone',
    path: 'contract/src/tasks.ts',
    text: importing('node:fs'),
    teaches: 'contract/ may import zod and nothing else, not node:fs',
  },
  {
    rule: 'a feature of the server does not import another, from its first day',
    path: 'server/src/features/notices/notice.service.ts',
    text: importing('../tasks/task.store.ts'),
    teaches: 'must not import the feature server/src/features/tasks. Name what it needs in its own words',
  },
  {
    rule: 'a feature of the page does not import another',
    path: 'web/src/features/history/history-row.tsx',
    text: importing('../tasks/task-list.tsx'),
    teaches: 'must not import the feature web/src/features/tasks. Name what it needs in its own words',
  },
  {
    rule: 'the design system has no data',
    path: 'web/src/ui/task-badge.tsx',
    text: importing('../api/client.ts'),
    teaches: 'web/src/ui/ shows what it is given',
  },
  {
    rule: 'the page takes only types from the contract',
    path: 'web/src/api/call.ts',
    text: "import { Status } from '@signalbox/contract';\n\nexport const statuses = Status.options;\n",
    teaches: 'web/ takes only types from the contract: write `import type`',
  },
  {
    rule: 'a database driver stays in its folder',
    path: 'server/src/features/tasks/task.service.ts',
    text: importing('node:sqlite'),
    teaches: 'Only server/src/database/ knows which database it is',
  },
  {
    rule: 'nobody else asks which database it is',
    path: 'server/src/features/tasks/task.service.ts',
    text: "export const isSmall = (dialect: string): boolean => dialect === 'sqlite';\n",
    teaches: 'Give the difference a name there, as a capability',
  },
  {
    rule: 'file names are kebab-case',
    path: 'server/src/features/tasks/TaskService.ts',
    text: 'export const limit = 1;\n',
    teaches: 'The name TaskService.ts is not kebab-case',
  },
  {
    rule: 'file names say something',
    path: 'server/src/features/tasks/utils.ts',
    text: 'export const limit = 1;\n',
    teaches: 'The name utils.ts says nothing. Name the noun and its role',
  },
  {
    rule: 'no file is longer than 400 lines',
    path: 'server/src/features/tasks/task.service.ts',
    text: 'export {};\n'.repeat(401),
    teaches: '401 lines are more than 400. Split it by what it does',
  },
  {
    rule: 'no style sheet is longer than 400 lines',
    path: 'web/src/ui/badge.module.css',
    text: '.badge { color: red; }\n'.repeat(401),
    teaches: '401 lines are more than 400. Split it by what it does',
  },
];

describe('the walls refuse a planted violation and teach', () => {
  it.each(WALLED)('$rule', async ({ path, text, teaches }) => {
    plant(path, text);
    const { failed, output } = await checkWalls();
    expect(output).toContain(path);
    expect(output).toContain(teaches);
    expect(failed).toBe(true);
  });

  it('a longer file passes with a reason, and the reason goes when it is not needed', async () => {
    const path = 'server/src/features/tasks/task.service.ts';
    plant(
      'tooling/architecture/file-size-budget.json',
      JSON.stringify({ [path]: { lines: 450, because: 'one table' } }),
    );
    plant(path, 'export {};\n'.repeat(440));
    expect(await checkWalls()).toMatchObject({ failed: false });
    plant(path, 'export {};\n');
    expect(await checkWalls()).toMatchObject({
      failed: true,
      output: expect.stringContaining('Its size budget is not needed any more'),
    });
  });
});
