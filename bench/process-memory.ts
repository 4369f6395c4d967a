import { readFileSync, writeFileSync } from 'node:fs';

const readField = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
};

/** Resident memory of a process, in MB of 1,048,576 bytes. */
export const residentMb = (pid: number): number => readField(pid, 'VmRSS');

/** Resets the peak that `peakMb` returns. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Maximum resident memory of a process since `forgetPeak`, in MB. */
export const peakMb = (pid: number): number => readField(pid, 'VmHWM');
