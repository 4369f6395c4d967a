import { equalServersTest } from '../../tooling/product/equal-servers/equal-servers-test.ts';
import { watchPages } from './page-watch.ts';

/** `npm run equal-servers -- 2000 7 [locks]` */
const [tasks = '200', seed = String(Date.now() % 1_000_000), kind = ''] = process.argv.slice(2);
const onlyLocks = kind === 'locks';
const print = (line: string): void => void process.stdout.write(`${line}\n`);
print(`${tasks} tasks; again with: npm run equal-servers -- ${tasks} ${seed} ${kind}`);
const { wrong, summary } = await equalServersTest({
  tasks: Number(tasks),
  seed: Number(seed),
  onlyLocks,
  projects: onlyLocks ? 2 : 20,
  print,
  ...(onlyLocks ? {} : { witness: watchPages }),
});
for (const line of summary) print(line);
print(wrong.length === 0 ? 'nothing wrong' : `${wrong.length} violations:\n${wrong.join('\n')}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
