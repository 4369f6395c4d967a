import type { ApiClient } from '../tooling/product/api-client.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { LiveFeed } from './live-feed.ts';

/** A running product with a signed-in client, a project, a connected runner and an open live socket. */
export interface MeasuredProduct {
  readonly product: Product;
  readonly client: ApiClient;
  readonly project: PlaybookProject;
  readonly feed: LiveFeed;
}

/** Starts a product for one measurement, and removes it afterwards, also after an error. */
export const withProduct = async <T>(
  files: Readonly<Record<string, string>>,
  work: (measured: MeasuredProduct) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> => {
  const product = await Product.start(settings);
  let feed: LiveFeed | undefined;
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Bench', files);
    await product.runnerReady(client);
    feed = await LiveFeed.open(client);
    return await work({ product, client, project, feed });
  } finally {
    feed?.close();
    await product.dispose();
  }
};
