import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHORT_PLAYBOOK } from '../bare-playbook.ts';
import { SHELL_ENVIRONMENT } from '../config.ts';
import type { Measure, Row } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';
import { percentile, shown } from '../statistics.ts';

const RUNS = 30;
const AIM_MS = 50;
const FETCH_AIM_MS = 150;

/** Programs of a run, in the order in which they are started. */
const PROGRAMS = ['python3', 'git', 'ansible-playbook'] as const;
type Program = (typeof PROGRAMS)[number];

const NAMES: Record<Program, string> = {
  python3: "the run's first process (its supervisor)",
  git: 'the first git',
  'ansible-playbook': 'ansible-playbook',
};

/** A script that records when it was started and for which run, and then executes the real program. */
const wrapper = (program: Program, real: string, stamps: string): string =>
  `#!/bin/bash\necho "$EPOCHREALTIME ${program} $SIGNALBOX_RUN" >> '${stamps}'\nexec '${real}' "$@"\n`;

/** When each program of a run was first started: milliseconds since 1970. */
const readStarts = (stamps: string, taskId: number): Map<string, number> => {
  const starts = new Map<string, number>();
  for (const row of readFileSync(stamps, 'utf8').trimEnd().split('\n')) {
    const [seconds, program = '', marker] = row.split(' ');
    if (marker?.startsWith(`${taskId}-`) && !starts.has(program)) starts.set(program, Number(seconds) * 1000);
  }
  return starts;
};

/** The path of the real program. For python3 it is the Python of Ansible, which also runs the supervisor. */
const findReal = (program: Program): string => {
  if (program === 'python3') {
    const python = /^#!\s*(\/\S+)$/m.exec(readFileSync(findReal('ansible-playbook'), 'utf8'))?.[1];
    if (python !== undefined) return python;
  }
  for (const folder of (SHELL_ENVIRONMENT.PATH ?? '').split(':')) {
    try {
      readFileSync(join(folder, program));
      return join(folder, program);
    } catch {
      // The program is not in this folder.
    }
  }
  throw new Error(`${program} is not installed.`);
};

/** Milliseconds from the first git of each run to its ansible-playbook. */
const between = (times: ReadonlyMap<Program, readonly number[]>): number[] => {
  const git = times.get('git') ?? [];
  return (times.get('ansible-playbook') ?? []).map((at, run) => at - (git[run] ?? Number.NaN));
};

const measure = async ({ project, feed }: MeasuredProduct, stamps: string): Promise<Map<Program, number[]>> => {
  const times = new Map<Program, number[]>(PROGRAMS.map((program) => [program, []]));
  const template = await project.template('hello.yml');
  await feed.success((await project.run(template)).id);
  for (let run = 0; run < RUNS; run += 1) {
    const since = Date.now();
    const { id } = await project.run(template);
    await feed.success(id);
    const starts = readStarts(stamps, id);
    for (const program of PROGRAMS) times.get(program)?.push((starts.get(program) ?? Number.NaN) - since);
  }
  return times;
};

export const startTime: Measure = {
  name: 'start',
  title: 'From the call to the first process',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    const stamps = join(folder, 'stamps');
    for (const program of PROGRAMS) {
      writeFileSync(join(folder, program), wrapper(program, findReal(program), stamps), { mode: 0o755 });
    }
    const path = `${folder}:${SHELL_ENVIRONMENT.PATH}`;
    const times = await withProduct({ 'hello.yml': SHORT_PLAYBOOK }, (measured) => measure(measured, stamps), {
      PATH: path,
    });
    rmSync(folder, { recursive: true, force: true });
    const rows = PROGRAMS.map((program): Row => {
      const values = times.get(program) ?? [];
      const isFirst = program === 'python3';
      return {
        what: `POST to the start of ${NAMES[program]} (p50 / p95)`,
        result: `${shown(percentile(values, 0.5), 1)} / ${shown(percentile(values, 0.95), 1)} ms`,
        baseline: '–',
        ratio: '–',
        aim: isFirst ? `p50 < ${AIM_MS} ms` : '–',
        isMet: isFirst ? percentile(values, 0.5) < AIM_MS : undefined,
      };
    });
    const fetches = between(times);
    rows.push({
      what: 'Fetch, clone and checkout of an unchanged local repository (p50 / p95)',
      result: `${shown(percentile(fetches, 0.5), 1)} / ${shown(percentile(fetches, 0.95), 1)} ms`,
      baseline: '–',
      ratio: '–',
      aim: `p50 < ${FETCH_AIM_MS} ms`,
      isMet: percentile(fetches, 0.5) < FETCH_AIM_MS,
    });
    return {
      rows,
      how: `${RUNS} runs, one after the other, with no other task in the product. python3, git and ansible-playbook are wrapped in scripts that record the time and the run, and then execute the real program. This adds 1 to 2 ms for each program of the run to the later rows. The first process of a run is its supervisor, the second is git. Fetch, clone and checkout are between git and ansible-playbook.`,
    };
  },
};
