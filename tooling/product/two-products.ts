import { startPostgres } from '../postgres.mjs';
import { Product } from './product.ts';

/** Runs `work` with two servers of one PostgreSQL database, and removes them afterwards. Only the first has a runner. */
export const withTwoProducts = async <T>(work: (first: Product, second: Product) => Promise<T>): Promise<T> => {
  const postgres = await startPostgres();
  // Servers of one database need one key.
  const settings = { DATABASE_URL: postgres.url, SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
  const products: Product[] = [];
  try {
    const first = await Product.start(settings);
    products.push(first);
    const second = await Product.start({ ...settings, SIGNALBOX_RUNNER_SLOTS: '0' });
    products.push(second);
    return await work(first, second);
  } finally {
    for (const product of products.toReversed()) await product.dispose();
    await postgres.stop();
  }
};
