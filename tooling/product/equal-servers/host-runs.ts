/** More later tasks than this that get a host first mean that a task can wait for ever. */
const MAX_OVERTAKEN = 20;

interface HostRecord {
  readonly what: string;
  readonly task: number;
  readonly isCheck: boolean;
}

const recordOf = (line: string): HostRecord => {
  const [what = '', task = '', mode] = line.split(' ');
  return { what, task: Number(task), isCheck: mode === 'check' };
};

/** What the file of one host shows: its lines have the order in which runs wrote them. */
const judgeHost = (host: string, lines: readonly string[]) => {
  const wrong: string[] = [];
  const running = new Map<number, HostRecord>();
  const starts: number[] = [];
  let together = 0;
  for (const record of lines.map(recordOf)) {
    const { what, task } = record;
    if (what !== 'start') {
      if (!running.delete(task)) wrong.push(`task ${task} ended on ${host} without a start`);
      continue;
    }
    for (const other of running.values()) {
      if (record.isCheck && other.isCheck) together++;
      else wrong.push(`tasks ${other.task} and ${task} ran on ${host} at once`);
    }
    if (starts.includes(task)) wrong.push(`task ${task} started on ${host} twice`);
    starts.push(task);
    running.set(task, record);
  }
  for (const task of running.keys()) wrong.push(`task ${task} did not end on ${host}`);
  const overtaken = starts.map((task, at) => starts.slice(0, at).filter((other) => other > task).length);
  return { wrong, together, overtaken: Math.max(0, ...overtaken) };
};

/**
 * Judges what runs have recorded on their hosts. Only tasks in check mode may be on a host together, and such tasks must
 * have been.
 */
export const judgeHosts = (records: ReadonlyMap<string, readonly string[]>) => {
  const hosts = [...records].map(([host, lines]) => judgeHost(host, lines));
  const together = hosts.reduce((sum, host) => sum + host.together, 0);
  const overtaken = Math.max(0, ...hosts.map((host) => host.overtaken));
  const wrong = hosts.flatMap((host) => host.wrong);
  if (together === 0) wrong.push('no tasks in check mode were on a host together');
  if (overtaken > MAX_OVERTAKEN) wrong.push(`${overtaken} later tasks got a host before an earlier one`);
  return {
    wrong,
    summary: `${records.size} hosts: ${together} times two tasks in check mode together, a task was overtaken at most ${overtaken} times`,
  };
};
