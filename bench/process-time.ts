import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second. */
const TICKS = 100;

/** Processor time of a process with all of its threads since its start, in seconds. */
export const processorSeconds = (pid: number): number => {
  const [, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = (fields.at(-1) ?? '').split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / TICKS;
};
