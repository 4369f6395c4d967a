import { posix } from 'node:path';
import type { Import, SourceFile } from './source-files.ts';

export interface Violation {
  readonly path: string;
  readonly line: number;
  /** The violation, and what to do instead. */
  readonly message: string;
}

/** The packages that each package may import. All other imports between packages are refused. */
const ALLOWED_DEPENDENCIES: Record<string, readonly string[]> = {
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

/** Components without their own data: they only show their properties. */
const UI = 'web/src/ui/';
const ABOVE_UI = ['web/src/api/', 'web/src/live/', 'web/src/features/', 'web/src/app/'];
const DRIVERS = ['pg', 'node:sqlite'];

/** Whether a file may know the kind of the database: the database layer, and helpers that create databases for tests. */
export const knowsDatabase = (path: string): boolean => /^server\/src\/(database|testing)\//.test(path);
/** Starts the built product and sends requests to it. Browser tests and benchmarks use it. */
const PRODUCT = 'tooling/product/';
const PRODUCT_USERS = ['e2e', 'bench'];

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
/** Whether a file may import `testing/`: tests, their helpers, and the configurations of the test programs. */
const usesTesting = (path: string): boolean => isTest(path) || /(^|\/)testing\/|^(e2e|tooling)\//.test(path);
const packageOf = (path: string): string => path.split('/')[0] ?? '';
const featureOf = (path: string): string | undefined => /^(server|web)\/src\/features\/[^/]+/.exec(path)?.[0];

/** Returns the path below the root of an imported file, or the name of an external package. */
const targetOf = (file: SourceFile, { source }: Import): string => {
  if (source.startsWith('.')) return posix.normalize(posix.join(posix.dirname(file.path), source));
  const own = /^@signalbox\/([^/]+)(.*)$/.exec(source);
  return own ? `${own[1]}/src${own[2]}` : source;
};

const crossesPackages = (file: SourceFile, target: string): string | undefined => {
  const from = packageOf(file.path);
  const to = packageOf(target);
  if (PRODUCT_USERS.includes(from) && target.startsWith(PRODUCT)) return undefined;
  if (to === 'testing' && usesTesting(file.path)) return undefined;
  const allowed = ALLOWED_DEPENDENCIES[from];
  if (!allowed || !(to in ALLOWED_DEPENDENCIES) || from === to || allowed.includes(to)) return undefined;
  const channel = to === 'runner' ? 'talk to it over the runner link' : 'talk to the running server';
  return allowed.length === 0
    ? `${from}/ must not import ${to}/: all other packages depend on it. Move what both need into ${from}/.`
    : `${from}/ must not import ${to}/, only ${allowed.join(', ')}/. Describe what both sides need in contract/, and ${channel}.`;
};

const leavesContract = (file: SourceFile, target: string, source: string): string | undefined => {
  if (!file.path.startsWith('contract/src/') || isTest(file.path)) return undefined;
  if (source.startsWith('.') || target === 'zod') return undefined;
  if (packageOf(target) in ALLOWED_DEPENDENCIES) return undefined;
  return `contract/ may import zod and nothing else, not ${source}: it only describes calls and messages. Do this in server/, runner/ or web/.`;
};

const crossesFeatures = (file: SourceFile, target: string): string | undefined => {
  const from = featureOf(file.path);
  const to = featureOf(target);
  if (!from || !to || from === to) return undefined;
  const above = from.startsWith('server/') ? 'server/src/composition/' : 'web/src/app/';
  return `The feature ${from} must not import the feature ${to}. Take what it needs as a parameter, and let ${above} pass it in.`;
};

const feedsUi = (file: SourceFile, target: string): string | undefined =>
  file.path.startsWith(UI) && ABOVE_UI.some((folder) => `${target}/`.startsWith(folder))
    ? `${UI} shows only its properties and must not import ${target}. Take the data as a property; a feature or web/src/app/ passes it.`
    : undefined;

/** The part of the contract that the page runs: it checks answers as the server does. */
const RUN_BY_PAGE = 'contract/src/survey';

const bundlesContract = (file: SourceFile, target: string, typeOnly: boolean): string | undefined =>
  /^(web|lang)\/src\//.test(file.path) &&
  !isTest(file.path) &&
  packageOf(target) === 'contract' &&
  target !== RUN_BY_PAGE &&
  !typeOnly
    ? `${packageOf(file.path)}/ takes only types from the contract: write \`import type\`, so that no schema is sent to the browser.`
    : undefined;

/** What the page runs of the contract must not import a schema either. */
const bundlesSchema = (file: SourceFile, target: string, typeOnly: boolean): string | undefined =>
  file.path.startsWith(`${RUN_BY_PAGE}/`) &&
  !isTest(file.path) &&
  !file.path.endsWith('/survey-variable.ts') &&
  !typeOnly &&
  (!target.startsWith(`${RUN_BY_PAGE}/`) || target.endsWith('/survey-variable.ts'))
    ? `The page runs ${RUN_BY_PAGE}/, so only survey-variable.ts may import ${target}: take types only, or move the value into ${RUN_BY_PAGE}/.`
    : undefined;

/** The parts of the contract without the calls of the API, whose schemas need most of its memory. */
const WITHOUT_CALLS = ['contract/src/limits', 'contract/src/link', 'contract/src/survey'];
/** A runner, and the thread of the logs, which starts with each server. */
const WITHOUT_API = /^runner\/src\/|^server\/src\/(failures|logs|times)\//;

const loadsCalls = (file: SourceFile, target: string, typeOnly: boolean): string | undefined =>
  WITHOUT_API.test(file.path) &&
  !isTest(file.path) &&
  !/[./]testing[./]/.test(file.path) &&
  packageOf(target) === 'contract' &&
  !WITHOUT_CALLS.includes(target) &&
  !typeOnly
    ? `A runner and the thread of the logs need no calls of the API, so ${file.path} takes only types from ${target}: write \`import type\`, or take the value from @signalbox/contract/limits or @signalbox/contract/link.`
    : undefined;

const bundlesCatalogues = (file: SourceFile, target: string): string | undefined =>
  file.path.startsWith('web/src/') && !isTest(file.path) && target === 'lang/src/catalogues'
    ? 'web/ loads one catalogue at a time: import() a file such as @signalbox/lang/errors/de.json, not all catalogues at once.'
    : undefined;

const touchesDriver = (file: SourceFile, target: string): string | undefined =>
  DRIVERS.includes(target) && packageOf(file.path) !== 'tooling' && !knowsDatabase(file.path) && !isTest(file.path)
    ? `Only server/src/database/ may know the kind of the database, so only it imports ${target}. Use the database object that is passed in.`
    : undefined;

/** Finds the imports that the architecture does not allow. */
export const findForbiddenDependencies = (files: readonly SourceFile[]): Violation[] =>
  files.flatMap((file) =>
    file.imports.flatMap((one) => {
      const target = targetOf(file, one);
      const message =
        crossesPackages(file, target) ??
        leavesContract(file, target, one.source) ??
        crossesFeatures(file, target) ??
        feedsUi(file, target) ??
        bundlesContract(file, target, one.typeOnly) ??
        bundlesSchema(file, target, one.typeOnly) ??
        loadsCalls(file, target, one.typeOnly) ??
        bundlesCatalogues(file, target) ??
        touchesDriver(file, target);
      return message ? [{ path: file.path, line: one.line, message }] : [];
    }),
  );
