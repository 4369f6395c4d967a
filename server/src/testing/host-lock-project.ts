import type { QueuedTask } from '@signalbox/contract';
import type { QueryAnswer, RunnerMessage } from '@signalbox/contract/link';
import { LINK_PATH } from '../dispatch/session/runner-hub.ts';
import { ScriptedRunner } from './runners/scripted-runner.ts';
import { sampleProject } from './sample-project.ts';
import type { Client, TestServer } from './test-server.ts';

export const LISTED_COMMIT = 'c'.repeat(40);

/** The answer of a runner that has listed these hosts. */
export const listed = (...hosts: string[]): QueryAnswer => ({ ask: 'run_hosts', hosts, commit: LISTED_COMMIT });

/** A project whose template locks the hosts of its runs, and functions to start and read tasks. */
export const hostLockProject = async (server: TestServer, admin: Client) => {
  const sample = await sampleProject(admin);
  const template = (more: object = {}) => sample.template({ lock_hosts: true, allow_parallel_tasks: true, ...more });
  const template_id = await template({ prompts: { limit: 'any', dry_run: 'any' } });
  const tasks = `${sample.base}/tasks`;
  const launch = async (values: object = {}) =>
    (await admin.post(tasks, { template_id, ...values })).json<QueuedTask>();
  const read = async (id: number) => (await admin.get(`${tasks}/${id}`)).json<QueuedTask>();
  const stop = async (id: number) => await admin.post(`${tasks}/${id}/stop`, {});
  const connect = async (name = 'one', hello: Partial<Extract<RunnerMessage, { type: 'hello' }>> = {}) => {
    const { token } = (await admin.post('/runners', { name })).json<{ token: string }>();
    const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
    await runner.open();
    runner.hello([], hello);
    await runner.receives('welcome');
    return runner;
  };
  /** Waits for the query about the next task, and answers it. */
  const answer = async (runner: ScriptedRunner, given: QueryAnswer) => {
    const { query, query_id } = await runner.receives('query');
    runner.send({ type: 'answer', query_id, answer: given });
    return query;
  };
  return { sample, template, launch, read, stop, connect, answer };
};
