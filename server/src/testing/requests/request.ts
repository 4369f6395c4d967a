import type { sampleProject } from '../sample-project.ts';
import type { Client, TestServer } from '../test-server.ts';

type Sample = Awaited<ReturnType<typeof sampleProject>>;

/** A request that succeeds for permitted callers. It creates the object that it needs. */
export interface ValidRequest {
  readonly params?: Readonly<Record<string, number | string>>;
  readonly body?: object;
}

export interface RequestDeps {
  readonly server: TestServer;
  readonly admin: Client;
  readonly sample: Sample;
}

export type MakeRequest = (deps: RequestDeps, name: string) => Promise<ValidRequest> | ValidRequest;

/** Creates an object and returns its id. */
export const made = async <Id = number>(client: Client, path: string, body: object): Promise<Id> => {
  const answer = await client.post(path, body);
  if (answer.statusCode !== 201) throw new Error(`${path}: ${answer.body}`);
  return answer.json<{ id: Id }>().id;
};

/** Starts a task of a new template. Returns its id. */
export const newTask = async ({ admin, sample }: RequestDeps): Promise<number> =>
  made(admin, `${sample.base}/tasks`, { template_id: await sample.template() });
