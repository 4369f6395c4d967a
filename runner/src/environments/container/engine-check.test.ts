import { expect, it } from 'vitest';
import { requireContainers } from '../../testing/container/container-image.testing.ts';
import { callEngine } from './engine.ts';
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
