import type { Runner } from '@signalbox/contract';
import type { ApiCaller } from '../api-caller.ts';
import { type CallerOptions, callerOf } from '../caller-settings.ts';
import { pick } from '../run-request.ts';
import { print, printJson } from '../terminal.ts';
import { terminalLine } from '../terminal-line.ts';

const stateOf = ({ connected, draining, paused }: Runner): string =>
  [connected ? (draining ? 'draining' : 'connected') : 'not connected', ...(paused ? ['paused'] : [])].join(', ');

const lineOf = (runner: Runner): string => {
  const { name, tasks, slots, tags, version, last_contact: contact } = runner;
  return [name, stateOf(runner), `${tasks}/${slots}`, tags.join(',') || '-', version || '-', contact ?? 'never'].join(
    '\t',
  );
};

const HEADER = ['NAME', 'STATE', 'TASKS', 'TAGS', 'VERSION', 'LAST CONTACT'].join('\t');

/** Prints a header and one line for each runner, with columns that are separated by tabs. */
export const listRunners = async (options: CallerOptions & { readonly json?: boolean }): Promise<void> => {
  const runners = await callerOf(options).api.call('listRunners');
  if (options.json === true) printJson(runners);
  else for (const line of [HEADER, ...runners.map(lineOf)]) print(terminalLine(line, false));
};

const find = async (api: ApiCaller, name: string): Promise<Runner> =>
  pick(await api.call('listRunners'), name, 'runner');

export const pauseRunner = async (name: string, paused: boolean, options: CallerOptions): Promise<void> => {
  const { api } = callerOf(options);
  const runner = await find(api, name);
  await api.call('updateRunner', { params: { runner_id: runner.id }, body: { paused } });
  print(terminalLine(`Runner ${runner.name} ${paused ? 'paused' : 'resumed'}.`, false));
};

export const drainRunner = async (name: string, options: CallerOptions): Promise<void> => {
  const { api } = callerOf(options);
  const runner = await find(api, name);
  await api.call('drainRunner', { params: { runner_id: runner.id } });
  print(terminalLine(`Runner ${runner.name} finishes its tasks and ends.`, false));
};

export const removeRunner = async (name: string, options: CallerOptions): Promise<void> => {
  const { api } = callerOf(options);
  const runner = await find(api, name);
  await api.call('deleteRunner', { params: { runner_id: runner.id } });
  print(terminalLine(`Runner ${runner.name} removed.`, false));
};
