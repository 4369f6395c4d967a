import type { ApiClient } from '../tooling/product/api-client.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { LiveFeed } from './live-feed.ts';

/** A product that was started to be measured: signed in, with a project, its runner connected, its live socket open. */
export interface House {
  readonly product: Product;
  readonly client: ApiClient;
  readonly project: PlaybookProject;
  readonly feed: LiveFeed;
}

/** Starts a product for one measure and removes it afterwards, however that goes. */
export const withHouse = async <T>(
  files: Readonly<Record<string, string>>,
  work: (house: House) => Promise<T>,
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
