import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import type { Measure } from './measure.ts';
import { consoles } from './measures/consoles.ts';
import { flood } from './measures/flood.ts';
import { manyHosts } from './measures/hosts.ts';
import { idle } from './measures/idle.ts';
import { largeProject } from './measures/large-project.ts';
import { latency } from './measures/latency.ts';
import { lists } from './measures/lists.ts';
import { logWindow } from './measures/log-window.ts';
import { matrix } from './measures/matrix.ts';
import { otherServer } from './measures/other-server.ts';
import { pageWeight } from './measures/page-weight.ts';
import { parallelRuns } from './measures/parallel-runs.ts';
import { requests } from './measures/requests.ts';
import { results } from './measures/results.ts';
import { startTime } from './measures/start-time.ts';
import { templatesPage } from './measures/templates-page.ts';
import { wholeTime } from './measures/whole-time.ts';
import { page, section, sectionsOf, table } from './report.ts';

const MEASURES: readonly Measure[] = [
  wholeTime,
  startTime,
  parallelRuns,
  flood,
  latency,
  otherServer,
  consoles,
  requests,
  lists,
  results,
  matrix,
  manyHosts,
  idle,
  pageWeight,
  templatesPage,
  largeProject,
  logWindow,
];
const PAGE = join(import.meta.dirname, '..', 'docs', 'performance.md');

/** The measures that `--only` names. @throws for an unknown name */
const choose = (only: string | undefined): readonly Measure[] => {
  if (only === undefined) return MEASURES;
  return only.split(',').map((name) => {
    const found = MEASURES.find((measure) => measure.name === name);
    if (!found)
      throw new Error(`There is no measure ${name}. Measures: ${MEASURES.map((one) => one.name).join(', ')}.`);
    return found;
  });
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const written = sectionsOf(readFileSync(PAGE, 'utf8'));
for (const measure of choose(values.only)) {
  process.stderr.write(`${measure.title} ...\n`);
  const moment = { date: new Date(), load: loadavg()[0] ?? 0 };
  const result = await measure.run();
  process.stdout.write(`${table(result.rows)}\n${result.how}\n\n`);
  written.set(measure.title, section(result, moment));
  const known = MEASURES.flatMap(({ title }) => {
    const body = written.get(title);
    return body === undefined ? [] : [[title, body] as const];
  });
  writeFileSync(PAGE, page(describeMachine(), known));
}
