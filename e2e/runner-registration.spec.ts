import { get } from 'node:http';
import { expect, test } from '@playwright/test';
import { Product, until } from '../tooling/product/product.ts';
import { RegisteredRunner } from '../tooling/product/registered-runner.ts';

/** The status with which a server answers a runner that opens its link. */
const linkStatus = (address: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const headers = { ...upgrade, 'sec-websocket-key': btoa('sixteen bytes ok'), authorization: `Bearer ${token}` };
    const request = get(`${address}/api/runner/link`, { headers });
    request.on('response', ({ statusCode }) => resolve(statusCode));
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    request.on('error', reject);
  });

test('[S10] a runner registers with the command line, and its token is replaced while it is connected', async () => {
  test.setTimeout(120_000);
  const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: '0' });
  const runner = new RegisteredRunner();
  try {
    const client = await product.client();
    const { token } = await client.call('createRunnerRegistration', { body: { name: 'edge', tags: ['dmz'] } });
    expect(await runner.register(product.address, token)).toBe(0);
    expect(await runner.register(product.address, token)).toBe(2);
    const first = runner.credential.token;
    runner.start();
    await product.runnerReady(client);
    const [listed] = await client.call('listRunners', {});
    expect(listed).toMatchObject({ tags: ['dmz'], connected: true });

    await client.call('rotateRunnerToken', { params: { runner_id: listed?.id ?? 0 } });
    await until('a new token', () => Promise.resolve(runner.credential.token !== first || undefined));
    await runner.kill();
    runner.start();
    await product.runnerReady(client);
    // A copy of the first token is refused and shown.
    expect(await linkStatus(product.address, first)).toBe(401);
    expect((await client.call('listRunners', {}))[0]?.duplicate_seen).not.toBeNull();
    expect((await client.call('listRunnerRegistrations', {}))[0]).toMatchObject({ uses: 1, uses_left: 0 });
  } finally {
    await runner.dispose();
    await product.dispose();
  }
});
