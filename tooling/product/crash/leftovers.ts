import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../product.ts';

const QUIET_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

const entriesOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Locks, drafts and half-made packs of git; drafts of what ansible-galaxy installs. */
const isUnfinished = (path: string): boolean =>
  (path.startsWith('mirrors/') &&
    (/\.lock$/.test(path) || /\/tmp_\w+$/.test(path) || /^mirrors\/[^/]*\.new\//.test(path))) ||
  /^galaxy\/[^/]*\.[0-9a-f-]{36}\//.test(path);

const holds = (path: string, texts: readonly string[]): boolean => {
  try {
    if (statSync(path).size > MAX_BYTES) return false;
    const content = readFileSync(path);
    return texts.some((text) => content.includes(text));
  } catch {
    return false;
  }
};

/** What a runner that has nothing to do still keeps in its folder, though no run needs it. */
const leftInFolder = (runner: string, secrets: readonly string[]): string[] => {
  const perRun = ['runs', 'places', 'tmp'].flatMap((name) =>
    entriesOf(join(runner, name)).map((entry) => `${name}/${entry} is left over`),
  );
  const files = filesBelow(runner);
  const unfinished = files.map((file) => relative(runner, file)).filter((file) => isUnfinished(file));
  const secret = files.filter((file) => holds(file, secrets)).map((file) => relative(runner, file));
  return [
    ...perRun,
    ...unfinished.map((file) => `${file} is left over`),
    ...secret.map((file) => `${file} holds a secret of a run`),
  ];
};

/** Waits until the runner has put everything away, at most for `quietMs` milliseconds. Answers what it has not. */
export const leftovers = async (data: string, secrets: readonly string[], quietMs = QUIET_MS): Promise<string[]> => {
  const runner = join(data, 'runner');
  let left: string[] = [];
  await until(
    'an empty runner folder',
    () => {
      left = leftInFolder(runner, secrets);
      return left.length === 0 || undefined;
    },
    quietMs,
  ).catch(() => undefined);
  return left;
};

/** Lists the processes whose working folder or command line contains a folder, except the known ones. */
export const processesIn = (folder: string, known: readonly (number | undefined)[]): string[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && !known.includes(pid))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const workingFolder = readlinkSync(`/proc/${pid}/cwd`);
        return workingFolder.startsWith(folder) || command.includes(folder) ? [`process ${pid}: ${command}`] : [];
      } catch {
        return [];
      }
    });

/** Lists the errors that SQLite finds in the files of a stopped server. */
export const damagedDatabases = (data: string): string[] =>
  ['signalbox.db', 'logs.db'].flatMap((name) => {
    const database = new DatabaseSync(join(data, name));
    try {
      const found = database
        .prepare('pragma integrity_check')
        .all()
        .map((row) => String(Object.values(row)[0]));
      return found.filter((message) => message !== 'ok').map((message) => `${name}: ${message}`);
    } finally {
      database.close();
    }
  });
