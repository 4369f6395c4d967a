import { relative, resolve } from 'node:path';
import { type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest';
import { shareOf } from './costly-tests.ts';
import { drawTests } from './draw-tests.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** The promises that each costly file must prove in this run. */
const promises = JSON.parse(process.env.SIGNALBOX_TEST_PROMISES ?? '{}') as Readonly<Record<string, readonly string[]>>;

const fullName = (task: RunnerTask): string => (task.suite ? `${fullName(task.suite)} ${task.name}` : task.name);

const namesOf = (tasks: readonly RunnerTask[]): string[] =>
  tasks.flatMap((task) => (task.type === 'suite' ? namesOf(task.tasks) : [fullName(task)]));

/** Suites without a drawn test are removed too, so that what they prepare is not prepared. */
const withOnly = (tasks: readonly RunnerTask[], drawn: ReadonlySet<string>): RunnerTask[] =>
  tasks.filter((task) => {
    if (task.type !== 'suite') return drawn.has(fullName(task));
    task.tasks = withOnly(task.tasks, drawn);
    return task.tasks.length > 0;
  });

/** Runs a random sample of the tests of costly files. A test that is not drawn is reported as neither passed nor skipped. */
export default class DrawingRunner extends TestRunner {
  onBeforeRunFiles(files: RunnerTestFile[]): void {
    for (const file of files) {
      const path = relative(ROOT, file.filepath);
      const share = shareOf(path);
      if (share < 1) file.tasks = withOnly(file.tasks, drawTests(path, namesOf(file.tasks), share, promises[path]));
      if (share < 1 && file.tasks.length === 0) this.config.passWithNoTests = true;
    }
  }
}
