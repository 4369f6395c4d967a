import { expect, it } from 'vitest';
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

  it('cannot be read or written while the store is away, and can afterwards', async () => {
    const made = await make();
    const store = openObjectStore(made.target);
    await store.put(NAME, BYTES);
    made.away();
    for (const work of [() => store.read(NAME, 0, 1), () => store.put('b', BYTES), () => store.remove(NAME)])
      await expect(work()).rejects.toMatchObject({ logStoreProblem: 'away' });
    made.back();
    expect((await openObjectStore(made.target).read(NAME, 0, 1)).toString()).toBe('0');
    expect(made.names()).toEqual([NAME]);
  });
});

it('a store that does not answer fails in time, and then at once for a while', async () => {
  let calls = 0;
  const silent = () => {
    calls += 1;
    return Promise.withResolvers<never>().promise;
  };
  const store = guardedObjectStore(
    { address: 'silent', put: silent, read: silent, remove: silent },
    { read: 20, write: 20, pause: 60_000 },
  );
  await expect(store.read(NAME, 0, 1)).rejects.toMatchObject({ logStoreProblem: 'away' });
  await expect(store.read(NAME, 0, 1)).rejects.toMatchObject({ logStoreProblem: 'away' });
  expect(calls).toBe(1);
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
