import '@signalbox/contract/testing/print-app';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JobSpec } from '@signalbox/contract/link';
import type { PrintJob } from '@signalbox/contract/testing/print-app';
import { afterEach, describe, expect, it } from 'vitest';
import { openHarness } from '../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

const REGISTER = new URL('../testing/print-app/register.ts', import.meta.url).href;

let harness: RunnerHarness;
afterEach(() => harness.close());

/** A job as the server sends it for the test app: none of its fields belong to Ansible. */
const printJob = (id: number, file: string): JobSpec => {
  const { playbook: _, inventory: __, vault_password: ___, arguments: ____, limit: _____, ...common } = harness.job(id);
  const { dry_run: ______, diff: _______, ...rest } = common;
  const job: PrintJob = { ...rest, app: 'print', playbook: file, secret_variables: { token: 'very-secret' } };
  return job as unknown as JobSpec;
};

describe('the apps of a runner', () => {
  it('are announced with their versions', async () => {
    harness = await openHarness();
    await harness.startRunner();
    const { apps, ansible } = await harness.server.message('hello');
    expect(apps).toEqual([{ name: 'ansible', version: ansible }]);
  });

  it('are announced without Ansible if it is not installed', async () => {
    harness = await openHarness();
    await harness.startRunner({ PATH: '/nowhere' });
    expect(await harness.server.message('hello')).toMatchObject({ apps: [], ansible: '' });
  });

  it('are announced with Ansible if ansible-playbook is the only program of Ansible on the search path', async () => {
    harness = await openHarness();
    const programs = join(harness.folder, 'programs');
    mkdirSync(programs);
    symlinkSync('/usr/bin/ansible-playbook', join(programs, 'ansible-playbook'));
    await harness.startRunner({ PATH: programs });
    const { apps } = await harness.server.message('hello');
    expect(apps).toEqual([{ name: 'ansible', version: expect.stringMatching(/^\d+\.\d+/) }]);
  });

  it('run a job of another app with the steps of that app and the common steps', async () => {
    harness = await openHarness({ 'hello.txt': 'Hello from a file\n' });
    const { server } = harness;
    await harness.startRunner({ NODE_OPTIONS: `--import=${REGISTER}` });
    const { apps } = await server.message('hello');
    expect(apps).toContainEqual({ name: 'print', version: '1' });
    const run = server.sendJob(printJob(1, 'hello.txt'));
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'success' });
    expect(run.lines).toEqual([
      expect.stringMatching(/^Repository: /),
      expect.stringMatching(/^Commit: none/),
      expect.stringMatching(/^Copied in /),
      'Hello from a file',
      '{"token":"****"}',
      expect.stringMatching(/^Printed for [\d.]+ s\.$/),
    ]);
    const missing = server.sendJob(printJob(2, 'absent.txt'));
    expect(await server.until(() => missing.ended, 'the end')).toMatchObject({
      result: 'error',
      end_reason: { code: 'playbook.missing', params: { path: 'absent.txt' } },
    });
    await harness.emptied();
  });
});
