import { expect, it, onTestFinished } from 'vitest';
import { startS3Server } from '../../testing/log-stores/s3-server.ts';
import { openObjectStore } from './open-object-store.ts';

const KEYS = { accessKey: 'key', secret: 'secret' };

it('a bucket with foreign names is listed to its end', async () => {
  const server = await startS3Server('bucket', KEYS);
  onTestFinished(server.stop);
  const names = ['logs/9/a&b', 'logs/9/a*~ <+>', 'logs/9/"é"'].toSorted();
  for (const name of names) server.objects.set(`own/${name}`, Buffer.from('bytes'));
  const store = openObjectStore({
    ...{ kind: 's3', endpoint: server.endpoint, bucket: 'bucket', prefix: 'own', region: 'us-east-1' },
    ...{ pathStyle: true, ...KEYS },
  });
  const after = async (name: string) => (await store.list(name)).map((object) => object.name);
  expect(await after('')).toEqual(names);
  for (const [at, name] of names.entries()) expect(await after(name)).toEqual(names.slice(at + 1));
});
