import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the product. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest version of Node that runs TypeScript without a build. */
const OLDEST = 24;

const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= OLDEST;

/** Path of the Node that runs the product: that of the lock file, or else the current one if it is new enough. */
export const findNode = () => {
  const suffix = process.platform === 'win32' ? ['node.exe'] : ['bin', 'node'];
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const installed = join(ROOT, 'node_modules', `node-${platform}-${process.arch}`, ...suffix);
  if (existsSync(installed)) return installed;
  return isNewEnough() ? process.execPath : undefined;
};

/**
 * Size of half of the young heap, in megabytes. More is hardly faster, and uses dozens of megabytes in an idle process.
 */
export const PRODUCT_FLAGS = ['--max-semi-space-size=4'];

/** Whether the Node of this process can run the product. */
export const runsProduct = isNewEnough;

/** Whether a module is the started program, not imported by another module. */
export const isMain = (/** @type {string} */ url) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
