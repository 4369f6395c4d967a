import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** A line as Ansible prints it, with its number. */
export const textOf = (number: number): string =>
  `ok: [web-${String(number % 1000).padStart(4, '0')}.example.com] => (item=${number}) the package is there already`;

/** Writes lines to a file. The number must be a multiple of 1000. */
export const writeLines = async (file: string, count: number): Promise<void> => {
  const stream = createWriteStream(file);
  for (let number = 0; number < count; number += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => `${textOf(number + index)}\n`);
    if (!stream.write(rows.join(''))) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
};
