import { test as base } from '@playwright/test';
import { Product } from '../tooling/product/product.ts';

/** For tests that use the product and neither stop it nor need settings of their own: each makes a project of its own. */
export const test = base.extend<object, { product: Product }>({
  product: [
    // Playwright reads the fixtures that a fixture needs from this pattern.
    // biome-ignore lint/correctness/noEmptyPattern: it needs none
    async ({}, use) => {
      const product = await Product.start();
      await use(product);
      await product.dispose();
    },
    { scope: 'worker' },
  ],
});
