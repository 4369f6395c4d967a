import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** What an installation needs. */
const PARTS = ['bin', 'contract', 'lang', 'runner', 'server', 'web/dist', 'web/package.json', 'package.json', 'demo'];
const TOOLING = ['child.mjs', 'node24.mjs', 'settings.mjs'];

const change = (file: string, from: RegExp, to: string): void => {
  const text = readFileSync(file, 'utf8');
  if (!from.test(text)) throw new Error(`${file} does not contain ${from}.`);
  writeFileSync(file, text.replace(from, to));
};

/** Links to all packages, except to those of the workspace, which are in the new folder. */
const linkPackages = (folder: string): void => {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@signalbox'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@signalbox' && name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  for (const name of ['contract', 'lang', 'runner', 'server'])
    symlinkSync(join(folder, name), join(packages, '@signalbox', name));
};

/** Renames the files of the page, as a build does whose code has changed. */
const renamePage = (folder: string): void => {
  const dist = join(folder, 'web', 'dist');
  const names = readdirSync(join(dist, 'assets')).filter((name) => /-[\w-]{8}\.(js|css)$/.test(name));
  if (names.length === 0) throw new Error('The page is not built.');
  const renamed = (name: string) => name.replace(/\.(js|css)$/, '0.$1');
  const pattern = new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  const texts = ['index.html', ...readdirSync(join(dist, 'assets')).map((name) => join('assets', name))];
  for (const name of texts.filter((one) => /\.(js|css|html)$/.test(one))) {
    const text = readFileSync(join(dist, name), 'utf8').replaceAll(pattern, renamed);
    rmSync(join(dist, name));
    writeFileSync(join(dist, name.replace(pattern, renamed)), text);
  }
};

const MIGRATION = `
const next: Step = async (db) => {
  await db.schema.createTable('next_version').addColumn('id', 'integer').execute();
  for (const table of ['task', 'template', 'users'])
    await db.schema.alterTable(table).addColumn('next_version', 'text', (c) => c.notNull().defaultTo('')).execute();
};
export const STATE_STEPS: Steps = {
  '9999-next-version': next,
`;

/**
 * Makes an installation that stands for the next release: a copy of this one with another version, an additional
 * migration, and other names of the files of the page.
 * @returns its folder
 */
export const makeNextVersion = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-next-'));
  const filter = (file: string) => !/node_modules|\.test\.tsx?$/.test(file.slice(ROOT.length));
  for (const part of [...PARTS, ...TOOLING.map((name) => join('tooling', name))])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter });
  linkPackages(folder);
  renamePage(folder);
  for (const name of ['package.json', 'server/package.json', 'runner/package.json'])
    change(join(folder, name), /"version": "(\d+)\.(\d+)\.\d+"/, '"version": "$1.$2.999"');
  change(join(folder, 'server/src/database/migrate.ts'), /\nexport const STATE_STEPS: Steps = \{\n/, MIGRATION);
  return folder;
};
