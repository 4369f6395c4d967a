import { crashTest } from './crash-test.ts';

const AT_ONCE = 5;

const [runs = '1000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
print(`${runs} runs; again with: npm run crash -- ${runs} ${seed}`);
// Ctrl-C ends it early, prints the report so far, and removes everything.
const leaving = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => leaving.abort());
const { violations, summary } = await crashTest({
  runs: Number(runs),
  seed: Number(seed),
  atOnce: AT_ONCE,
  print: print,
  signal: leaving.signal,
});
for (const line of summary) print(line);
print(
  violations.length === 0
    ? 'nothing lost, doubled, stuck or left over'
    : `${violations.length} violations:\n${violations.join('\n')}`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
