import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerEnvironment } from '@signalbox/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { requireContainers } from '../../testing/container/container-image.testing.ts';
import { containerEnd, notStartedLine } from './container-end.ts';
import { callEngine } from './engine.ts';

const IMAGE: ContainerEnvironment = {
  ...{ kind: 'container', image: 'ansible', pull: 'never', registry_key_id: null, network: 'none' },
  ...{ memory_mb: null, cpus: null, pids: null },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-end-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** How a run ends for which podman is started with these arguments. */
const endOf = async (args: readonly string[], program: string) => {
  const { engine, image } = await requireContainers();
  const call = [
    'run',
    '--rm',
    '--pull=never',
    '--network=none',
    ...engine.settings.runArguments,
    ...args,
    image,
    program,
  ];
  const { code, stderr } = await callEngine(engine, call, { timeoutMs: 60_000 });
  const output = join(folder, 'output.log');
  writeFileSync(output, stderr);
  const run = { engine: 'podman', code, bytes: stderr.length, output, outOfMemory: join(folder, 'memory') };
  return { code, reason: containerEnd({ ...run, environment: IMAGE }), line: notStartedLine(IMAGE, code) };
};

it.each([
  ['an option of the engine', ['--cap-add=nothing'], 'sh', 'container.engine_failed'],
  ['the runtime', ['--pids-limit=99999999999'], 'sh', 'container.engine_failed'],
  ['a missing program', [], 'missing-program', 'container.not_started'],
])('a container that does not start because of %s has an end reason of its own', async (_, args, program, code) => {
  const end = await endOf(args, program);
  expect(end.reason).toMatchObject({ code, params: { detail: expect.stringMatching(/\w/) } });
  expect(end.line).toContain(`exit code ${end.code}`);
});

it.each([1, 2, 4, 250, null])('a playbook that ends with %s in its container is not an error of the engine', (code) => {
  const run = {
    engine: 'podman',
    code,
    bytes: 0,
    output: join(folder, 'output.log'),
    outOfMemory: join(folder, 'memory'),
  };
  expect(containerEnd({ ...run, environment: IMAGE })).toBeUndefined();
  expect(notStartedLine(IMAGE, code)).toBeUndefined();
});

it('a run without a container never has an end reason of containers', () => {
  expect(notStartedLine({ kind: 'system' }, 125)).toBeUndefined();
});
