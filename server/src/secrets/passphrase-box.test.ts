import { expect, it } from 'vitest';
import { openBox, PassphraseBox, sealInBox } from './passphrase-box.ts';

it('opens with its passphrase, for its purpose, unchanged, and not otherwise', async () => {
  const box = await sealInBox('größer', 'a purpose', 'a päßword');
  expect(await openBox('größer', 'a purpose', box)).toBe('a päßword');
  // Two ways to write the same letters.
  expect(await openBox('größer'.normalize('NFD'), 'a purpose', box)).toBe('a päßword');
  expect(await openBox('other', 'a purpose', box)).toBeUndefined();
  expect(await openBox('größer', 'another purpose', box)).toBeUndefined();
  const bytes = Buffer.from(box.data, 'base64');
  bytes.writeUInt8(bytes.readUInt8(15) ^ 1, 15);
  expect(await openBox('größer', 'a purpose', { ...box, data: bytes.toString('base64') })).toBeUndefined();
  expect(await openBox('größer', 'a purpose', { ...box, data: 'AAAA' })).toBeUndefined();
  expect((await sealInBox('größer', 'a purpose', 'a päßword')).data).not.toBe(box.data);
});

it('is refused where it asks for more memory than ours do', async () => {
  const box = await sealInBox('x', 'y', 'z');
  expect(PassphraseBox.safeParse(box).success).toBe(true);
  expect(PassphraseBox.safeParse({ ...box, n: box.n * 2 }).success).toBe(false);
});
