import { expect, it, onTestFinished } from 'vitest';
import { startS3Server } from '../../testing/log-stores/s3-server.ts';
import { describeEachLogStore } from '../../testing/log-stores/test-object-store.ts';
import { decryptBlock, encryptBlock } from './block-cipher.ts';
import { guardedObjectStore } from './guarded-object-store.ts';
import { openObjectStore } from './open-object-store.ts';

const NAME = 'logs/0/1-0123.1';
const BYTES = Buffer.from('0123456789');

describeEachLogStore('an object', (make) => {
  it('is read in ranges, replaced and removed', async () => {
    const store = openObjectStore((await make()).target);
    await store.put(NAME, BYTES);
    expect((await store.read(NAME, 0, 10)).toString()).toBe('0123456789');
    expect((await store.read(NAME, 3, 4)).toString()).toBe('3456');
    await store.put(NAME, Buffer.from('abc'));
    expect((await store.read(NAME, 1, 2)).toString()).toBe('bc');
    await store.remove(NAME);
    await expect(store.read(NAME, 0, 1)).rejects.toMatchObject({ logStoreProblem: 'missing' });
    await store.remove(NAME);
  });

  it('that is shorter than a range was changed', async () => {
    const store = openObjectStore((await make()).target);
    await store.put(NAME, BYTES);
    await expect(store.read(NAME, 8, 3)).rejects.toMatchObject({ logStoreProblem: 'changed' });
    await expect(store.read(NAME, 20, 3)).rejects.toMatchObject({ logStoreProblem: 'changed' });
  });

  it('of many bytes is stored as it is, and nothing else', async () => {
    const made = await make();
    const store = openObjectStore(made.target);
    const bytes = Buffer.alloc(3_000_000, 'some bytes');
    await Promise.all([store.put('a/b/1', bytes), store.put('a/b/2', bytes.subarray(7)), store.put('a/c', BYTES)]);
    expect(await store.read('a/b/2', 2_000_000, 20)).toEqual(bytes.subarray(2_000_007, 2_000_027));
    expect(made.names()).toEqual(['a/b/1', 'a/b/2', 'a/c']);
  });

  it('is not written if the write is aborted', async () => {
    const made = await make();
    const store = openObjectStore(made.target);
    await expect(store.put(NAME, BYTES, AbortSignal.abort())).rejects.toMatchObject({ logStoreProblem: 'away' });
    expect(made.names()).toEqual([]);
  });

  it('cannot be read or written while the store is away, and can afterwards', async () => {
    const made = await make();
    const store = openObjectStore(made.target);
    await store.put(NAME, BYTES);
    await made.away();
    for (const work of [() => store.read(NAME, 0, 1), () => store.put('b', BYTES), () => store.remove(NAME)])
      await expect(work()).rejects.toMatchObject({ logStoreProblem: 'away' });
    await made.back();
    expect((await openObjectStore(made.target).read(NAME, 0, 1)).toString()).toBe('0');
    expect(made.names()).toEqual([NAME]);
  });
});

it('a bucket is refused with a wrong secret, an unknown key, and if it does not exist', async () => {
  const keys = { accessKey: 'key', secret: 'right' };
  const { endpoint, stop } = await startS3Server('logs', keys);
  onTestFinished(stop);
  const target = { kind: 's3', bucket: 'logs', prefix: '', endpoint, region: 'us-east-1', pathStyle: true } as const;
  await openObjectStore({ ...target, ...keys }).put(NAME, BYTES);
  for (const [wrong, code] of [
    [{ secret: 'wrong' }, 'SignatureDoesNotMatch'],
    [{ accessKey: 'other' }, 'InvalidAccessKeyId'],
    [{ bucket: 'other' }, 'NoSuchBucket'],
  ] as const) {
    const used = { ...target, ...keys, ...wrong };
    const refused = openObjectStore(used).read(NAME, 0, 1);
    await expect(refused).rejects.toMatchObject({ logStoreProblem: 'refused', message: expect.stringContaining(code) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(used.secret) });
  }
});

it('a full bucket is read although nothing can be written', async () => {
  const keys = { accessKey: 'key', secret: 'right' };
  const { endpoint, fill, stop } = await startS3Server('logs', keys);
  onTestFinished(stop);
  const bucket = { kind: 's3', bucket: 'logs', prefix: '', endpoint, region: 'us-east-1', pathStyle: true } as const;
  const store = openObjectStore({ ...bucket, ...keys });
  await store.put(NAME, BYTES);
  fill();
  await expect(store.put('b', BYTES)).rejects.toMatchObject({ logStoreProblem: 'full' });
  expect((await store.read(NAME, 0, 1)).toString()).toBe('0');
});

it('a store that does not answer fails in time, and then at once for a while', async () => {
  let calls = 0;
  const silent = () => {
    calls += 1;
    return Promise.withResolvers<never>().promise;
  };
  const store = guardedObjectStore(
    { address: 'silent', put: silent, read: silent, remove: silent, list: silent },
    { read: 20, write: 20, pause: 60_000 },
  );
  await expect(store.read(NAME, 0, 1)).rejects.toMatchObject({ logStoreProblem: 'away' });
  await expect(store.read(NAME, 0, 1)).rejects.toMatchObject({ logStoreProblem: 'away' });
  expect(calls).toBe(1);
});

it('an object that a store writes after the time limit is removed', async () => {
  const written = Promise.withResolvers<void>();
  const removed: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const store = guardedObjectStore(
    {
      address: 'slow',
      put: (_name, _bytes, signal) => {
        signals.push(signal);
        return written.promise;
      },
      read: () => Promise.resolve(BYTES),
      remove: async (name) => void removed.push(name),
      list: () => Promise.resolve([]),
    },
    { read: 20, write: 20, pause: 0 },
  );
  await expect(store.put(NAME, BYTES, new AbortController().signal)).rejects.toMatchObject({ logStoreProblem: 'away' });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  expect(removed).toEqual([]);
  written.resolve();
  await expect.poll(() => removed).toEqual([NAME]);
});

it('a block is decrypted only with its secret, and as it was written at its position', () => {
  const secret = Buffer.alloc(32, 1);
  const bytes = encryptBlock(secret, NAME, 4096, BYTES);
  expect(bytes.includes(BYTES)).toBe(false);
  expect(decryptBlock(secret, NAME, 4096, bytes)).toEqual(BYTES);
  const flipped = Buffer.from(bytes);
  flipped[2] = (flipped[2] ?? 0) ^ 1;
  const wrong = [
    () => decryptBlock(secret, NAME, 4096, flipped),
    () => decryptBlock(secret, NAME, 4096, bytes.subarray(1)),
    () => decryptBlock(secret, NAME, 0, bytes),
    () => decryptBlock(secret, `${NAME}1`, 4096, bytes),
    () => decryptBlock(Buffer.alloc(32, 2), NAME, 4096, bytes),
  ];
  for (const decryptWrong of wrong) expect(decryptWrong).toThrow('was changed');
});
