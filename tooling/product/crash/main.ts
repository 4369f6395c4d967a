import { crashTest } from './crash-test.ts';

const AT_ONCE = 5;

const [runs = '1000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(`${runs} runs; again with: npm run crash -- ${runs} ${seed}`);
// Ctrl-C ends it early, with a word about what was done and with nothing left behind.
const leaving = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => leaving.abort());
const { faults, summary } = await crashTest({
  runs: Number(runs),
  seed: Number(seed),
  atOnce: AT_ONCE,
  say,
  signal: leaving.signal,
});
for (const line of summary) say(line);
say(
  faults.length === 0 ? 'nothing lost, doubled, stuck or left over' : `${faults.length} faults:\n${faults.join('\n')}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
