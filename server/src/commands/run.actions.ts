import { setTimeout as delay } from 'node:timers/promises';
import { isFinal, MAX_LOG_LINES, type Task, type Template } from '@signalbox/contract';
import { markedText } from '../logs/plain-text.ts';
import { StartError } from '../start-error.ts';
import { type ApiCaller, ServerAway } from './api-caller.ts';
import { type CallerOptions, callerOf } from './caller-settings.ts';
import { type LaunchOptions, pick, startTask } from './run-request.ts';
import { note, print, printJson } from './terminal.ts';
import { terminalLine } from './terminal-line.ts';

interface RunOptions extends LaunchOptions, CallerOptions {
  readonly detach?: boolean;
  readonly json?: boolean;
}

const EXIT: Readonly<Record<string, number>> = { success: 0, error: 1, stopped: 2 };
/** Exit code of a program that Ctrl-C ended. */
const EXIT_DETACHED = 130;

/** Time between two reads of the log, in milliseconds. */
const POLL_MS = 400;
/** Time between two attempts to reach the server, in milliseconds. */
const AWAY_MS = 2_000;

/** Names may contain slashes, so every position of the separating slash is tried. */
const findTemplate = async (api: ApiCaller, target: string): Promise<Template> => {
  const slashes = [...target.matchAll(/\//g)].map(({ index }) => index);
  if (slashes.length === 0) throw new StartError('Name the project and the template, such as Shop/Deploy.');
  const projects = await api.call('listProjects');
  const at = slashes.find((index) => {
    const wanted = target.slice(0, index);
    return projects.some(({ id, name }) => name === wanted || String(id) === wanted);
  });
  const project = pick(projects, target.slice(0, at ?? slashes[0]), 'project');
  const templates = await api.call('listTemplates', { params: { project_id: project.id } });
  return pick(templates, target.slice((at ?? 0) + 1), 'template');
};

/** Retries a call while the server cannot be reached. The task continues meanwhile. */
const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      if (attempt === 1) note(`${error.message} The task continues; waiting for the server.`);
      await delay(AWAY_MS);
    }
  }
};

interface Watching {
  readonly api: ApiCaller;
  readonly params: { readonly project_id: number; readonly task_id: number };
  /** Called with each line of the log. */
  readonly onLine: (line: string) => void;
}

/** Passes on every line of the log until the task has ended and its log is complete. */
const watch = async ({ api, params, onLine }: Watching): Promise<Task> => {
  let next = 1;
  for (;;) {
    // Read before the log, so that the log of an ended task is complete.
    const task = await patiently(() => api.call('getTask', { params }));
    for (;;) {
      const query = { from: String(next), limit: String(MAX_LOG_LINES) };
      const log = await patiently(() => api.call('getTaskLines', { params, query }));
      for (const line of log.lines) onLine(markedText(line));
      next = log.first + log.lines.length;
      if (log.lines.length === 0 || next > log.total) break;
    }
    if (isFinal(task.status)) return task;
    await delay(POLL_MS);
  }
};

/** The same signal again within this time is the same Ctrl-C: the terminal sends it, and a parent process forwards it. */
const ECHO_MS = 1000;

/** The first Ctrl-C stops the task. The second one ends only this command. */
const stopOnSignal = (api: ApiCaller, params: Watching['params']): void => {
  let asked: number | undefined;
  const stop = (): void => {
    if (asked !== undefined) {
      if (performance.now() - asked < ECHO_MS) return;
      note(`Task #${params.task_id} continues without this command.`);
      process.exit(EXIT_DETACHED);
    }
    asked = performance.now();
    note(`Stopping task #${params.task_id}; press Ctrl-C again to end only this command.`);
    api
      .call('stopTask', { params, body: { force: false } })
      .catch((error: Error) => note(`It could not be stopped: ${error.message}`));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

/** Starts a task, prints its log and exits with a code for its result. */
export const run = async (target: string, options: RunOptions): Promise<void> => {
  const { api, colours } = callerOf(options);
  const away = (error: unknown): never => {
    throw error instanceof ServerAway ? new StartError(error.message) : error;
  };
  const template = await findTemplate(api, target).catch(away);
  const task = await startTask(api, template, options).catch(away);
  if (options.detach) return options.json ? printJson(task) : print(String(task.id));
  const params = { project_id: task.project_id, task_id: task.id };
  // Before the first output, because a program that reads it may send a signal at once.
  stopOnSignal(api, params);
  note(`Task #${task.id} of ${template.name}`);
  const onLine = options.json ? () => undefined : (line: string) => print(terminalLine(line, colours));
  const ended = await watch({ api, params, onLine });
  if (options.json) printJson(ended);
  note(`Task #${task.id}: ${ended.status}${ended.end_reason ? `. ${ended.end_reason.text}` : ''}`);
  process.exit(EXIT[ended.status] ?? 1);
};
