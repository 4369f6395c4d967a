import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Starts Versity S3 Gateway, a real S3 server that stores objects as files of a folder. */
export const startVersityGateway = async (
  folder: string,
  bucket: string,
  { accessKey, secret }: { readonly accessKey: string; readonly secret: string },
) => {
  mkdirSync(join(folder, bucket));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(process.env.SIGNALBOX_TEST_VERSITYGW ?? '', ['--port', `127.0.0.1:${port}`, 'posix', folder], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secret },
    });
    // Any answer means that it is ready, also a refusal.
    while (!(await fetch(endpoint).catch(() => undefined))) await setTimeout(20);
  };
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return { endpoint, start, stop };
};
