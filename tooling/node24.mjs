import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the product. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Whether npm has installed the product as a package. */
const IS_PACKAGE = ROOT.split(/[/\\]/).includes('node_modules');

/** The oldest version of Node that runs TypeScript without a build. */
const OLDEST = 24;

const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= OLDEST;

/** Path of the Node that runs the product: that of the lock file, or else the current one if it is new enough. */
export const findNode = () => {
  const suffix = process.platform === 'win32' ? ['node.exe'] : ['bin', 'node'];
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  // npm installs the packages that a package needs into the folder in which it is.
  const folder = IS_PACKAGE ? join(ROOT, '..') : join(ROOT, 'node_modules');
  const installed = join(folder, `node-${platform}-${process.arch}`, ...suffix);
  if (existsSync(installed)) return installed;
  return isNewEnough() ? process.execPath : undefined;
};

/**
 * Size of half of the young heap, in megabytes. More is hardly faster, and uses dozens of megabytes in an idle process.
 */
const MEMORY_FLAG = '--max-semi-space-size=4';

/** Node does not run the TypeScript of a package. */
const TYPESCRIPT_FLAG = `--import=${new URL('typescript-hook.mjs', import.meta.url)}`;

export const PRODUCT_FLAGS = IS_PACKAGE
  ? [MEMORY_FLAG, TYPESCRIPT_FLAG, '--disable-warning=ExperimentalWarning']
  : [MEMORY_FLAG];

/** Whether this process can run the product. */
export const runsProduct = () => isNewEnough() && (!IS_PACKAGE || process.execArgv.includes(TYPESCRIPT_FLAG));

/** Whether a module is the started program, not imported by another module. */
export const isMain = (/** @type {string} */ url) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
