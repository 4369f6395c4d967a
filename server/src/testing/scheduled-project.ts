import type { Event, Schedule, Task } from '@signalbox/contract';
import type { TestLocation } from './database/databases.ts';
import { sampleProject } from './sample-project.ts';
import { TestClock } from './test-clock.ts';
import { startTestServer } from './test-server.ts';

const MINUTE_MS = 60_000;

/** Starts a server with a test clock, and a project with a template for schedules. */
export const scheduledProject = async (
  location: TestLocation,
  start: string,
  settings: Record<string, string> = {},
) => {
  const clock = new TestClock(start);
  let server = await startTestServer(location, settings, clock);
  let client = await server.signIn();
  const sample = await sampleProject(client);
  const templateId = await sample.template({ name: 'Patch' });
  const get = async <T>(path: string): Promise<T> => (await client.get(`${sample.base}/${path}`)).json<T>();

  const stop = (): Promise<void> => server.stop();
  /** Starts another server on the same database, as after a restart. */
  const restart = async (other: Record<string, string> = settings): Promise<void> => {
    await stop();
    server = await startTestServer(location, other, clock);
    client = await server.signIn();
    await server.schedules.quiet();
  };
  return {
    clock,
    sample,
    templateId,
    get server() {
      return server;
    },
    get client() {
      return client;
    },
    stop,
    restart,
    create: async (input: object): Promise<Schedule> => {
      const answer = await client.post(`${sample.base}/schedules`, {
        template_id: templateId,
        name: 'Nightly',
        ...input,
      });
      if (answer.statusCode !== 201) throw new Error(answer.body);
      await server.schedules.quiet();
      return answer.json<Schedule>();
    },
    read: (id: number) => get<Schedule>(`schedules/${id}`),
    /** The tasks of a template, oldest first. */
    tasks: async (id = templateId) => (await get<Task[]>(`templates/${id}/tasks`)).reverse(),
    /** The events of schedules, oldest first. */
    events: async () =>
      (await get<Event[]>('events'))
        .filter((event) => event.object_type === 'schedule')
        .map((event) => event.description)
        .reverse(),
    /** Lets minutes pass one by one. Due times of each minute are handled before the next. */
    passMinutes: async (minutes: number): Promise<void> => {
      // A running round would set its timer only after the minute, and so miss it.
      await server.schedules.quiet();
      for (let n = 0; n < minutes; n++) {
        clock.pass(MINUTE_MS);
        await server.schedules.quiet();
      }
    },
  };
};
