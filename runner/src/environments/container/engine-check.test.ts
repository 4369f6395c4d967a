import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { requireContainers } from '../../testing/container/container-image.testing.ts';
import { callEngine, type Engine } from './engine.ts';
import { checkEngine } from './engine-check.ts';

it('an engine that can start containers passes the check, also without its image', async () => {
  const { engine } = await requireContainers();
  await callEngine(engine, ['rmi', '--force', 'localhost/signalbox-check:1'], { timeoutMs: 60_000 });
  expect(await checkEngine(engine, 'test-check')).toBeUndefined();
  expect(await checkEngine(engine, 'test-check')).toBeUndefined();
});

it('an engine that is installed and cannot start containers has its own message as the reason', async () => {
  const { engine } = await requireContainers();
  const broken = { ...engine, settings: { ...engine.settings, runArguments: ['--cap-add=nothing'] } };
  expect(await checkEngine(broken, 'test-broken')).toContain('unknown capability');
});

/** An engine without images whose `import` fails. */
const engineWithoutSpace = (env: Record<string, string>): Engine => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'podman');
  writeFileSync(program, '#!/bin/sh\n[ "$1" = import ] && echo "Error: no space left on device" >&2\nexit 125\n', {
    mode: 0o755,
  });
  const settings = { engine: 'podman', arguments: [], runArguments: [], networks: [], env: {} } as const;
  return { name: 'podman', version: '5.0.0', command: [program], env, settings };
};

it('an image that cannot be imported has the message of the program as the reason', async () => {
  expect(await checkEngine(engineWithoutSpace({ PATH: process.env.PATH ?? '' }), 'test')).toBe(
    'no space left on device',
  );
});

it('an image that cannot be packed has the failure of tar as the reason', async () => {
  expect(await checkEngine(engineWithoutSpace({ PATH: '/nowhere' }), 'test')).toMatch(/tar|missing/);
});
