import { fileURLToPath } from 'node:url';
import { findProgram } from '../process/find-program.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/signalbox.mjs', import.meta.url));

const quoted = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * Returns the command that starts the runner of a data folder, for a shell on this machine. Paths are absolute, so it
 * works in every folder. It names the Node of this process if the search path has none.
 */
export const startCommand = (data: string, path: string): string =>
  [
    `SIGNALBOX_RUNNER_DATA=${quoted(data)}`,
    ...(findProgram('node', path) === undefined ? [quoted(process.execPath)] : []),
    quoted(PROGRAM),
    'runner',
  ].join(' ');
