import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';

const firstLine = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8' }).split('\n')[0] ?? '';

/** Describes the machine, as pairs of name and value. */
export const describeMachine = (): [name: string, value: string][] => [
  ['Processor', `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`],
  ['Memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
  ['System', `${type()} ${release()}`],
  ['Node', process.version],
  ['Ansible', firstLine('ansible-playbook', '--version')],
  ['git', firstLine('git', '--version')],
  ['Database', `SQLite ${process.versions.sqlite} (the default, in the data folder)`],
];
