import { posix } from 'node:path';
import type { Import, SourceFile } from './source-files.ts';

export interface Fault {
  readonly path: string;
  readonly line: number;
  /** What is wrong and what to do instead. */
  readonly message: string;
}

/** The root folders are the architecture: who may import whom. What is not listed here is refused. */
const ARROWS: Record<string, readonly string[]> = {
  contract: [],
  lang: ['contract'],
  testing: [],
  runner: ['contract'],
  server: ['contract', 'lang'],
  web: ['contract', 'lang'],
  e2e: ['contract'],
  bench: ['contract'],
  tooling: ['contract'],
};

/** A folder without data of its own: it shows what it is given. */
const UI = 'web/src/ui/';
const BEHIND_UI = ['web/src/api/', 'web/src/live/', 'web/src/features/', 'web/src/app/'];
const DRIVERS = ['pg', 'node:sqlite'];

/** Where it is known which database it is: in its folder, and in what makes databases for the tests. */
export const knowsDatabase = (path: string): boolean => /^server\/src\/(database|testing)\//.test(path);
/** Starts the built product and talks to it, for whoever proves or measures it from outside. */
const PRODUCT = 'tooling/product/';
const PROVERS = ['e2e', 'bench'];

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
/** Whether a file may import `testing/`: tests, their helpers, and the configurations of the test programs. */
const usesTesting = (path: string): boolean => isTest(path) || /(^|\/)testing\/|^(e2e|tooling)\//.test(path);
const packageOf = (path: string): string => path.split('/')[0] ?? '';
const featureOf = (path: string): string | undefined => /^(server|web)\/src\/features\/[^/]+/.exec(path)?.[0];

/** The path below the root that an import leads to, or the name of the package from outside. */
const targetOf = (file: SourceFile, { source }: Import): string => {
  if (source.startsWith('.')) return posix.normalize(posix.join(posix.dirname(file.path), source));
  const own = /^@signalbox\/([^/]+)(.*)$/.exec(source);
  return own ? `${own[1]}/src${own[2]}` : source;
};

const crossesPackages = (file: SourceFile, target: string): string | undefined => {
  const from = packageOf(file.path);
  const to = packageOf(target);
  if (PROVERS.includes(from) && target.startsWith(PRODUCT)) return undefined;
  if (to === 'testing' && usesTesting(file.path)) return undefined;
  const allowed = ARROWS[from];
  if (!allowed || !(to in ARROWS) || from === to || allowed.includes(to)) return undefined;
  const way = to === 'runner' ? 'talk to it over the runner link' : 'talk to the running server';
  return allowed.length === 0
    ? `${from}/ must not import ${to}/: it is what all others share, and imports none of them. Move what both need into ${from}/.`
    : `${from}/ must not import ${to}/, only ${allowed.join(', ')}/. Say what both sides need in contract/, and ${way}.`;
};

const leavesContract = (file: SourceFile, target: string, source: string): string | undefined => {
  if (!file.path.startsWith('contract/src/') || isTest(file.path)) return undefined;
  if (source.startsWith('.') || target === 'zod') return undefined;
  if (packageOf(target) in ARROWS) return undefined;
  return `contract/ may import zod and nothing else, not ${source}: it says what is said, on every side. Do this in server/, runner/ or web/.`;
};

const crossesFeatures = (file: SourceFile, target: string): string | undefined => {
  const from = featureOf(file.path);
  const to = featureOf(target);
  if (!from || !to || from === to) return undefined;
  const above = from.startsWith('server/') ? 'server/src/composition/' : 'web/src/app/';
  return `The feature ${from} must not import the feature ${to}. Name what it needs in its own words (a parameter) and let ${above} pass it in.`;
};

const fillsUi = (file: SourceFile, target: string): string | undefined =>
  file.path.startsWith(UI) && BEHIND_UI.some((folder) => `${target}/`.startsWith(folder))
    ? `${UI} shows what it is given and must not import ${target}. Take the data as a property; a feature or web/src/app/ passes it.`
    : undefined;

const bundlesContract = (file: SourceFile, target: string, typeOnly: boolean): string | undefined =>
  /^(web|lang)\/src\//.test(file.path) && !isTest(file.path) && packageOf(target) === 'contract' && !typeOnly
    ? `${packageOf(file.path)}/ takes only types from the contract: write \`import type\`, so that no schema is sent to the browser.`
    : undefined;

const bundlesCatalogues = (file: SourceFile, target: string): string | undefined =>
  file.path.startsWith('web/src/') && !isTest(file.path) && target === 'lang/src/catalogues'
    ? 'web/ loads one catalogue at a time: import() a file such as @signalbox/lang/errors/de.json, not all catalogues at once.'
    : undefined;

const touchesDriver = (file: SourceFile, target: string): string | undefined =>
  DRIVERS.includes(target) && packageOf(file.path) !== 'tooling' && !knowsDatabase(file.path) && !isTest(file.path)
    ? `Only server/src/database/ knows which database it is, so ${target} is imported there alone. Ask the database that you were given.`
    : undefined;

/** Every import that draws an arrow which the architecture does not have. */
export const findForbiddenArrows = (files: readonly SourceFile[]): Fault[] =>
  files.flatMap((file) =>
    file.imports.flatMap((one) => {
      const target = targetOf(file, one);
      const message =
        crossesPackages(file, target) ??
        leavesContract(file, target, one.source) ??
        crossesFeatures(file, target) ??
        fillsUi(file, target) ??
        bundlesContract(file, target, one.typeOnly) ??
        bundlesCatalogues(file, target) ??
        touchesDriver(file, target);
      return message ? [{ path: file.path, line: one.line, message }] : [];
    }),
  );
