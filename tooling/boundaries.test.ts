import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A small source tree without a violation. */
const CLEAN: Record<string, string> = {
  'contract/src/status.ts': "import { z } from 'zod';\n\nexport const Status = z.enum(['waiting', 'success']);\n",
  'contract/src/index.ts': "export * from './status.ts';\n",
  'runner/src/config.ts': "export const token = process.env.SIGNALBOX_TOKEN ?? '';\n",
  'runner/src/process/spawn.ts': "import { spawn } from 'node:child_process';\n\nexport const start = spawn;\n",
  'runner/src/main.ts':
    "import { Status } from '@signalbox/contract/link';\n\nexport const first = Status.options[0];\n",
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

const writeSource = (path: string, text: string): void => {
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
const checkBoundaries = () => run(process.execPath, [join(ROOT, 'tooling/architecture.check.ts'), root]);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-boundaries-'));
  for (const path of ['biome.json', '.gitignore', 'tooling/lint'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  for (const [path, text] of Object.entries(CLEAN)) writeSource(path, text);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('the checks accept a source tree without a violation', async () => {
  expect(await lint()).toMatchObject({ failed: false });
  expect(await checkBoundaries()).toMatchObject({ failed: false, output: expect.stringContaining('0 violations') });
});

interface Case {
  readonly rule: string;
  readonly path: string;
  readonly text: string;
  /** Text that the error message must contain. */
  readonly message: string;
}

const importing = (source: string): string => `import { thing } from '${source}';\n\nexport const other = thing;\n`;

const LINT_CASES: Case[] = [
  {
    rule: 'a process is started only in runner/src/process/ and the starters',
    path: 'server/src/features/tasks/task.service.ts',
    text: "import { execFile } from 'node:child_process';\n\nexport const launch = execFile;\n",
    message: 'call what runner/src/process/ offers',
  },
  {
    rule: 'only config.ts reads the environment',
    path: 'server/src/features/tasks/task.service.ts',
    text: 'export const url = process.env.SIGNALBOX_URL;\n',
    message: 'Use a centralized configuration file instead',
  },
  {
    rule: 'node:process is not imported to read the environment',
    path: 'runner/src/task.ts',
    text: "import { env } from 'node:process';\n\nexport const url = env.SIGNALBOX_URL;\n",
    message: 'Settings are read once, in the config.ts of each package',
  },
  {
    rule: 'password fields use the input with a translated button',
    path: 'web/src/features/tasks/password.tsx',
    text: "import { PasswordInput } from '@mantine/core';\n\nexport const Password = PasswordInput;\n",
    message: 'use PasswordInput from web/src/ui/forms/password-input.tsx',
  },
  {
    rule: 'the type any is refused',
    path: 'runner/src/task.ts',
    text: 'export const same = (value: any): unknown => value;\n',
    message: 'use unknown and narrow it',
  },
  {
    rule: 'vi.mock is refused',
    path: 'runner/src/task.test.ts',
    text: "import { vi } from 'vitest';\n\nvi.mock('./process/spawn.ts');\n",
    message: 'Hand the object a real collaborator',
  },
  {
    rule: 'vi.doMock is refused',
    path: 'runner/src/task.test.ts',
    text: "import { vi } from 'vitest';\n\nvi.doMock('./process/spawn.ts', () => ({}));\n",
    message: 'Hand the object a real collaborator',
  },
  {
    rule: 'a skipped test is refused',
    path: 'runner/src/task.test.ts',
    text: "import { it } from 'vitest';\n\nit.skip('works', () => {});\n",
    message: 'Every test runs, everywhere',
  },
  {
    rule: 'a floating promise is refused',
    path: 'runner/src/task.ts',
    text: 'const save = async (): Promise<void> => {};\nexport const end = (): void => {\n  save();\n};\n',
    message: 'A "floating" Promise was found',
  },
  {
    rule: 'a default export is refused',
    path: 'runner/src/task.ts',
    text: 'const limit = 1;\nexport default limit;\n',
    message: 'Use a named export instead',
  },
  {
    rule: 'the contract makes no calls',
    path: 'contract/src/client.ts',
    text: "export const ask = (): Promise<Response> => fetch('/api/ping');\n",
    message: 'the client that calls is in web/src/api/',
  },
  {
    rule: 'a file in another format is refused',
    path: 'runner/src/task.ts',
    text: 'export const limit = "1"\n',
    message: 'Formatter would have printed',
  },
];

describe('the linter refuses a violation and names the solution', () => {
  it.each(LINT_CASES)('$rule', async ({ path, text, message }) => {
    writeSource(path, text);
    const { failed, output } = await lint();
    expect(output).toContain(path);
    expect(output).toContain(message);
    expect(failed).toBe(true);
  });

  it('refuses import cycles', async () => {
    writeSource('runner/src/a.ts', "import { b } from './b.ts';\n\nexport const a = (): number => b();\n");
    writeSource('runner/src/b.ts', "import { a } from './a.ts';\n\nexport const b = (): number => a();\n");
    const { failed, output } = await lint();
    expect(output).toContain('This import is part of a cycle');
    expect(failed).toBe(true);
  });
});

const BOUNDARY_CASES: Case[] = [
  {
    rule: 'a folder of the runner imports lower layers only',
    path: 'runner/src/git/mirror.ts',
    text: importing('../workspace/workspace.ts'),
    message: 'runner/src/git/ must not import runner/src/workspace/, only lower layers (errors, files, process,',
  },
  {
    rule: 'a folder of the runner does not import what composes the runner',
    path: 'runner/src/runs/run.ts',
    text: importing('../config.ts'),
    message: 'must not import runner/src/config.ts, which composes the runner',
  },
  {
    rule: 'an app does not import another app',
    path: 'runner/src/apps/ansible/prepare.ts',
    text: importing('../shell/shell.ts'),
    message: 'The app ansible must not import the app shell',
  },
  {
    rule: 'a new folder of the runner needs a layer',
    path: 'runner/src/containers/image.ts',
    text: 'export const image = 1;\n',
    message: 'Add the folder containers to the layers',
  },
  {
    rule: 'the runner does not know the server',
    path: 'runner/src/task.ts',
    text: importing('@signalbox/server/main'),
    message: 'runner/ must not import server/, only contract/. Describe what both sides need in contract/',
  },
  {
    rule: 'the server does not import the runner by a relative path',
    path: 'server/src/dispatch/local-runner/local-runner.starter.ts',
    text: importing('../../../../runner/src/main.ts'),
    message:
      'server/ must not import runner/, only contract, lang/. Describe what both sides need in contract/, and talk to it over the runner link',
  },
  {
    rule: 'exports and dynamic imports count as imports',
    path: 'web/src/api/call.ts',
    text: "export * from '../../../server/src/database/dialect.ts';\n\nexport const late = () => import('@signalbox/runner/main');\n",
    message: 'web/ must not import runner/, only contract, lang/',
  },
  {
    rule: 'the page loads one catalogue at a time',
    path: 'web/src/lang/messages.ts',
    text: importing('@signalbox/lang/catalogues'),
    message: 'import() a file such as @signalbox/lang/errors/de.json',
  },
  {
    rule: 'lang/ takes only types from the contract',
    path: 'lang/src/message-text.ts',
    text: importing('@signalbox/contract'),
    message: 'lang/ takes only types from the contract',
  },
  {
    rule: 'browser tests use the product, not its parts',
    path: 'e2e/sign-in.spec.ts',
    text: importing('../server/src/features/tasks/task.store.ts'),
    message: 'e2e/ must not import server/, only contract/',
  },
  {
    rule: 'browser tests import nothing of tooling/ but tooling/product/',
    path: 'e2e/start.spec.ts',
    text: importing('../tooling/settings.mjs'),
    message: 'e2e/ must not import tooling/, only contract/',
  },
  {
    rule: 'benchmarks use the product, not its parts',
    path: 'bench/flood.ts',
    text: importing('@signalbox/runner/main'),
    message: 'bench/ must not import runner/, only contract/',
  },
  {
    rule: 'the contract imports none of the others',
    path: 'contract/src/tasks.ts',
    text: importing('../../server/src/features/tasks/task.store.ts'),
    message: 'contract/ must not import server/: all other packages depend on it',
  },
  {
    rule: 'the contract imports only zod',
    path: 'contract/src/tasks.ts',
    text: importing('node:fs'),
    message: 'contract/ may import zod and nothing else, not node:fs',
  },
  {
    rule: 'a feature of the server does not import another feature',
    path: 'server/src/features/notices/notice.service.ts',
    text: importing('../tasks/task.store.ts'),
    message: 'must not import the feature server/src/features/tasks. Take what it needs as a parameter',
  },
  {
    rule: 'a feature of the page does not import another feature',
    path: 'web/src/features/history/history-row.tsx',
    text: importing('../tasks/task-list.tsx'),
    message: 'must not import the feature web/src/features/tasks. Take what it needs as a parameter',
  },
  {
    rule: 'web/src/ui/ does not fetch data',
    path: 'web/src/ui/task-badge.tsx',
    text: importing('../api/client.ts'),
    message: 'web/src/ui/ shows only its properties',
  },
  {
    rule: 'the page takes only types from the contract',
    path: 'web/src/api/call.ts',
    text: "import { Status } from '@signalbox/contract';\n\nexport const statuses = Status.options;\n",
    message: 'web/ takes only types from the contract: write `import type`',
  },
  {
    rule: 'a runner loads no calls of the API',
    path: 'runner/src/task.ts',
    text: importing('@signalbox/contract'),
    message: 'take the value from @signalbox/contract/limits or @signalbox/contract/link',
  },
  {
    rule: 'the thread of the logs loads no calls of the API',
    path: 'server/src/logs/results/result-pages.ts',
    text: importing('@signalbox/contract'),
    message: 'take the value from @signalbox/contract/limits or @signalbox/contract/link',
  },
  {
    rule: 'what the page runs of the contract imports no schema',
    path: 'contract/src/survey/read-answer.ts',
    text: importing('zod'),
    message: 'The page runs contract/src/survey/, so only survey-variable.ts may import zod',
  },
  {
    rule: 'a database driver stays in its folder',
    path: 'server/src/features/tasks/task.service.ts',
    text: importing('node:sqlite'),
    message: 'Only server/src/database/ may know the kind of the database',
  },
  {
    rule: 'no other code checks which database it uses',
    path: 'server/src/features/tasks/task.service.ts',
    text: "export const isSmall = (dialect: string): boolean => dialect === 'sqlite';\n",
    message: 'Add a capability there',
  },
  {
    rule: 'file names are kebab-case',
    path: 'server/src/features/tasks/TaskService.ts',
    text: 'export const limit = 1;\n',
    message: 'The name TaskService.ts is not kebab-case',
  },
  {
    rule: 'a meaningless file name is refused',
    path: 'server/src/features/tasks/utils.ts',
    text: 'export const limit = 1;\n',
    message: 'The name utils.ts has no meaning. Name the noun and its role',
  },
  {
    rule: 'no file is longer than 400 lines',
    path: 'server/src/features/tasks/task.service.ts',
    text: 'export {};\n'.repeat(401),
    message: '401 lines are more than 400. Split it by what it does',
  },
  {
    rule: 'no style sheet is longer than 400 lines',
    path: 'web/src/ui/badge.module.css',
    text: '.badge { color: red; }\n'.repeat(401),
    message: '401 lines are more than 400. Split it by what it does',
  },
];

describe('the architecture check refuses a violation and names the solution', () => {
  it.each(BOUNDARY_CASES)('$rule', async ({ path, text, message }) => {
    writeSource(path, text);
    const { failed, output } = await checkBoundaries();
    expect(output).toContain(path);
    expect(output).toContain(message);
    expect(failed).toBe(true);
  });

  it('accepts a long file with a reason, and refuses a reason that is no longer needed', async () => {
    const path = 'server/src/features/tasks/task.service.ts';
    writeSource(
      'tooling/architecture/file-size-budget.json',
      JSON.stringify({ [path]: { lines: 450, because: 'one table' } }),
    );
    writeSource(path, 'export {};\n'.repeat(440));
    expect(await checkBoundaries()).toMatchObject({ failed: false });
    writeSource(path, 'export {};\n');
    expect(await checkBoundaries()).toMatchObject({
      failed: true,
      output: expect.stringContaining('Its size budget is no longer needed'),
    });
  });

  it('refuses import cycles of types in the runner', async () => {
    writeSource('runner/src/runs/a.ts', "import type { B } from './b.ts';\n\nexport interface A {\n  b: B;\n}\n");
    writeSource('runner/src/runs/b.ts', "import type { A } from './a.ts';\n\nexport interface B {\n  a: A;\n}\n");
    const { failed, output } = await checkBoundaries();
    expect(output).toContain('Import cycle, also if it consists of types only: runner/src/runs/a.ts');
    expect(failed).toBe(true);
  });
});
