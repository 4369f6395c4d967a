import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Product } from './product.ts';

/** Bytes that a product on SQLite keeps of one task, by what they are: `output`, `results` or `index`. */
export const storedBytes = (product: Product, taskId: number): ReadonlyMap<string, number> => {
  const db = new DatabaseSync(join(product.folder, 'logs.db'), { readOnly: true });
  const sum = 'select stream, sum(length(data)) as bytes from log_block where task_id = ? group by stream';
  const rows = db.prepare(sum).all(taskId) as { stream: string; bytes: number }[];
  db.close();
  return new Map(rows.map(({ stream, bytes }) => [stream, bytes]));
};
