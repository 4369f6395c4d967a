import type { MakeLocation } from '../database/databases.ts';
import { sampleProject } from '../sample-project.ts';
import { startTestServer } from '../test-server.ts';
import { connectRunner } from './scripted-runner.ts';

/** A server with a project, and scripted runners that take its tasks. */
export const linkedRunner = async (makeLocation: MakeLocation) => {
  const location = await makeLocation();
  const server = await startTestServer(location);
  const client = await server.signIn();
  const sample = await sampleProject(client);
  const templateId = await sample.template();
  const launch = async () =>
    (await client.post(`${sample.base}/tasks`, { template_id: templateId })).json<{ id: number }>().id;
  const task = async (id: number) =>
    (await client.get(`${sample.base}/tasks/${id}`)).json<{
      status: string;
      start: string;
      end: string;
      commit_hash: string;
      end_reason: { code: string; params: object; text: string } | null;
    }>();
  const lines = async (id: number) =>
    (await client.get(`${sample.base}/tasks/${id}/lines`)).json<{
      lines: [number, string][];
      sealed: boolean;
      total: number;
    }>();
  const connect = () => connectRunner(server, location.folder);
  /** Gives a run to a runner. */
  const leased = async () => {
    const runner = await connect();
    runner.hello();
    const id = await launch();
    const { job, job_key } = await runner.receives('job');
    return { runner, id, run: { task_id: id, epoch: job.epoch }, job_key };
  };
  /** Gives a run to a runner, which stores it and may start it. */
  const begun = async () => {
    const all = await leased();
    all.runner.send({ type: 'accepted', ...all.run });
    await all.runner.receives('start');
    return all;
  };
  return { location, server, client, sample, launch, task, lines, connect, leased, begun };
};
