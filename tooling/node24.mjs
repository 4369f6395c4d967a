import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the product. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest Node that runs the product's TypeScript as it is written. */
const OLDEST = 24;

const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= OLDEST;

/** Path of the Node that runs the product: the one of the lock file, else the present one when it is new enough. */
export const findNode = () => {
  const suffix = process.platform === 'win32' ? ['node.exe'] : ['bin', 'node'];
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const installed = join(ROOT, 'node_modules', `node-${platform}-${process.arch}`, ...suffix);
  if (existsSync(installed)) return installed;
  return isNewEnough() ? process.execPath : undefined;
};

/** Half of the young heap in megabytes: more buys little speed, and costs an idle process dozens of megabytes. */
export const PRODUCT_FLAGS = ['--max-semi-space-size=4'];

/** True when this very process can run the product. */
export const runsProduct = isNewEnough;

/** True when a module is the program that was started, not one that another imports. */
export const isMain = (/** @type {string} */ url) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
