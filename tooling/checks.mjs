import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { findNode, ROOT } from './node24.mjs';

const bin = (/** @type {string} */ name) => join(ROOT, 'node_modules', '.bin', name);

/** @type {{ name: string, file: string, args: string[] }[]} */
const CHECKS = [
  // Each parallel checker of a project reads its types again, which doubles time and memory.
  { name: 'types', file: bin('tsc'), args: ['--build', '--checkers', '1'] },
  {
    name: 'lint and format',
    file: bin('biome'),
    args: ['check', '--colors=off', '--error-on-warnings', '--max-diagnostics=50'],
  },
  { name: 'architecture', file: findNode() ?? 'node', args: ['tooling/architecture.check.ts'] },
  { name: 'words', file: findNode() ?? 'node', args: ['tooling/words.check.ts'] },
  { name: 'unused code', file: bin('knip'), args: ['--no-progress'] },
  { name: 'api file', file: findNode() ?? 'node', args: ['tooling/api-file.check.ts'] },
];

/** Runs every check at once, prints one line for each, and the whole output of those that fail. */
export const runChecks = async () => {
  const results = await Promise.all(
    CHECKS.map(async ({ name, file, args }) => {
      const since = performance.now();
      const { code, output } = await runQuietly(file, args, { cwd: ROOT });
      const passed = code === 0;
      const time = ((performance.now() - since) / 1000).toFixed(1);
      process.stdout.write(`${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)} ${time.padStart(5)} s\n`);
      return { name, passed, output };
    }),
  );
  for (const { name, output } of results.filter(({ passed }) => !passed)) {
    process.stdout.write(`\n--- ${name} ---\n${output.trimEnd()}\n`);
  }
  return {
    passed: results.filter(({ passed }) => passed).length,
    failed: results.filter(({ passed }) => !passed).length,
  };
};
