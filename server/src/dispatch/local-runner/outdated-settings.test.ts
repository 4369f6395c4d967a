import { expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const RUNNER = { SIGNALBOX_RUNNER_SLOTS: '1' };

/** The process of the connected local runner that takes tasks. */
const runnerOf = async (server: TestServer): Promise<number> => {
  const connected = () => server.dispatching.hub.runners().find(({ draining }) => !draining);
  await expect.poll(connected, { timeout: 30_000 }).toBeDefined();
  const pid = connected()?.pid ?? 0;
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return pid;
};

describeOneDatabase('a local runner that outlives its server', (makeLocation) => {
  it('[R12] serves the next server, or is replaced if settings of the runner have changed', async () => {
    const location = await makeLocation();
    const first = await startTestServer(location, RUNNER);
    const pid = await runnerOf(first);
    await first.stop();
    const second = await startTestServer(location, RUNNER);
    expect(await runnerOf(second)).toBe(pid);
    await second.stop();
    const third = await startTestServer(location, { ...RUNNER, SIGNALBOX_HOST_KEYS: 'strict' });
    const next = await runnerOf(third);
    expect(next).not.toBe(pid);
    await expect.poll(() => third.dispatching.hub.runners().map((runner) => runner.pid)).toEqual([next]);
  });
});
