import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runQuietly } from './child.mjs';
import { Refusal, step } from './steps.mjs';

/**
 * @typedef {object} Tool
 * @property {string} name Name in messages.
 * @property {() => boolean} isThere
 * @property {boolean} [optional] Installed where we may, and not asked for where we may not.
 * @property {readonly string[]} packages Debian packages that contain it; the first one in the package lists of the machine is installed.
 */

/** @returns {boolean} True when a program of this name is on the path. */
const onPath = (/** @type {string} */ name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const command = (/** @type {string} */ name, /** @type {string[]} */ ...packages) => ({
  name,
  isThere: () => onPath(name),
  packages,
});

/** @returns {boolean} True when Python can make virtual environments. Debian keeps a part of it in a package of its own. */
const hasVenv = () =>
  ['/usr/lib', '/usr/local/lib'].some(
    (folder) =>
      existsSync(folder) &&
      readdirSync(folder).some((name) => name.startsWith('python3') && existsSync(join(folder, name, 'ensurepip'))),
  );

/** What running playbooks takes. */
export const RUN_TOOLS = [
  command('git', 'git'),
  command('ssh', 'openssh-client'),
  command('python3', 'python3'),
  command('ansible-playbook', 'ansible-core', 'ansible'),
  // Only virtual environments need it, and only without uv.
  { name: "Python's module venv", isThere: hasVenv, packages: ['python3-venv'], optional: true },
  // Only hosts that are reached with a password need it.
  { ...command('sshpass', 'sshpass'), optional: true },
  // Only repositories that keep files in Git LFS need it.
  { ...command('git-lfs', 'git-lfs'), optional: true },
];

/** What the tests take on top. */
export const TEST_TOOLS = [
  ...RUN_TOOLS.map((tool) => ({ ...tool, optional: false })),
  { name: 'the PostgreSQL server', isThere: () => findPostgres() !== undefined, packages: ['postgresql'] },
  { name: 'the OpenLDAP server', isThere: () => existsSync('/usr/sbin/slapd'), packages: ['slapd'] },
  { name: 'nginx', isThere: () => existsSync('/usr/sbin/nginx'), packages: ['nginx-light', 'nginx'] },
  command('openssl', 'openssl'),
  // Containers. The default runtime of podman refuses some machines, which runc accepts.
  command('podman', 'podman'),
  { name: 'runc', isThere: () => onPath('runc') || existsSync('/usr/sbin/runc'), packages: ['runc'] },
  // Shells for which the command line has completions.
  command('zsh', 'zsh'),
  command('fish', 'fish'),
  { name: 'the OpenSSH server', isThere: () => existsSync('/usr/sbin/sshd'), packages: ['openssh-server'] },
  {
    name: 'Chromium',
    isThere: () => onPath('chromium') || onPath('chromium-browser') || onPath('google-chrome'),
    packages: ['chromium', 'chromium-browser'],
  },
  // The browser tests need less processor time with it.
  { ...command('chromium-headless-shell', 'chromium-headless-shell'), optional: true },
];

/** Folder of the newest PostgreSQL server's programs, as Debian lays them out. */
export const findPostgres = () => {
  const folder = '/usr/lib/postgresql';
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(folder, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
};

const hasApt = () => {
  if (!existsSync('/etc/os-release') || !onPath('apt-get')) return false;
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
};

/** apt asks nothing, and leaves the services of what it installs alone. */
const aptEnvironment = () => ({ ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C.UTF-8' });

/** Whether apt's lists know an installable version of a package. */
const isKnown = async (/** @type {string} */ name) => {
  const { output } = await runQuietly('apt-cache', ['policy', name], { env: aptEnvironment() });
  return /Candidate: (?!\(none\))/.test(output);
};

const firstKnown = async (/** @type {readonly string[]} */ names) => {
  for (const name of names) if (await isKnown(name)) return name;
  return undefined;
};

const aptGet = async (/** @type {string[]} */ args, /** @type {(line: string) => void} */ report) => {
  const { code, output } = await runQuietly('apt-get', args, { env: aptEnvironment(), onLine: report });
  if (code === 0) return;
  const last = output.trimEnd().split('\n').slice(-10).join('\n');
  throw new Refusal(`${last}\n\napt-get ${args[0]} failed (exit code ${code}); its last lines are above.`);
};

/** @param {readonly Tool[]} tools */
const namesOf = (tools) => tools.map(({ name }) => name).join(', ');

/** @param {readonly Tool[]} tools */
const installTools = (tools) =>
  step(`Install ${namesOf(tools)}`, async (report) => {
    let packages = await Promise.all(tools.map((tool) => firstKnown(tool.packages)));
    if (packages.includes(undefined)) {
      await aptGet(['update'], report);
      packages = await Promise.all(tools.map((tool) => firstKnown(tool.packages)));
    }
    const unknown = tools.filter((_, index) => packages[index] === undefined);
    if (unknown.length > 0) {
      throw new Refusal(`This machine's package lists have no ${namesOf(unknown)}; install it by hand.`);
    }
    const args = ['install', '-y', '--no-install-recommends', ...packages.filter((name) => name !== undefined)];
    await aptGet(args, report).catch(async () => {
      // Old package lists name files that the mirror no longer has.
      await aptGet(['update'], report);
      await aptGet(args, report);
    });
  });

/**
 * Sees to it that every tool is there: as root on Debian or Ubuntu installs what is missing, else names the one command.
 * Continues without optional tools that cannot be installed.
 *
 * @param {readonly Tool[]} tools
 */
export const provideTools = async (tools) => {
  const mayInstall = hasApt() && process.getuid?.() === 0;
  const missing = tools.filter(({ isThere }) => !isThere());
  const required = missing.filter(({ optional }) => !optional);
  const optional = missing.filter((tool) => mayInstall && tool.optional);
  if (required.length > 0) {
    const names = namesOf(required);
    if (!hasApt()) throw new Refusal(`Missing on this machine: ${names}. Install them and run this command again.`);
    if (!mayInstall) {
      const packages = required.map(({ packages: [first] }) => first).join(' ');
      throw new Refusal(
        `Missing on this machine: ${names}. Run \`sudo apt-get install -y ${packages}\` and start again.`,
      );
    }
    await installTools(required);
  }
  for (const tool of optional) {
    await installTools([tool]).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      process.stdout.write(`Continuing without ${tool.name}.\n`);
    });
  }
};
