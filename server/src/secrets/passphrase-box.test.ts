import { expect, it } from 'vitest';
import { decryptBox, encryptInBox, PassphraseBox } from './passphrase-box.ts';

it('a box is opened only with its passphrase and purpose, unchanged', async () => {
  const box = await encryptInBox('größer', 'a purpose', 'a päßword');
  expect(await decryptBox('größer', 'a purpose', box)).toBe('a päßword');
  // Two Unicode forms of the same letters.
  expect(await decryptBox('größer'.normalize('NFD'), 'a purpose', box)).toBe('a päßword');
  expect(await decryptBox('other', 'a purpose', box)).toBeUndefined();
  expect(await decryptBox('größer', 'another purpose', box)).toBeUndefined();
  const bytes = Buffer.from(box.data, 'base64');
  bytes.writeUInt8(bytes.readUInt8(15) ^ 1, 15);
  expect(await decryptBox('größer', 'a purpose', { ...box, data: bytes.toString('base64') })).toBeUndefined();
  expect(await decryptBox('größer', 'a purpose', { ...box, data: 'AAAA' })).toBeUndefined();
  expect((await encryptInBox('größer', 'a purpose', 'a päßword')).data).not.toBe(box.data);
});

it('a box that requests more memory than allowed is refused', async () => {
  const box = await encryptInBox('x', 'y', 'z');
  expect(PassphraseBox.safeParse(box).success).toBe(true);
  expect(PassphraseBox.safeParse({ ...box, n: box.n * 2 }).success).toBe(false);
});
