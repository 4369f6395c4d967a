import { join } from 'node:path';
import { RUN_MARKER } from '../process/process-table.ts';
import type { AnsibleConfig } from './ansible-config.ts';

export const CALLBACK_FOLDER = join(import.meta.dirname, '..', '..', 'ansible', 'callback_plugins');
const CALLBACK_NAME = 'signalbox';

/**
 * Names that a template's environment may not set: they load code into Python, the loader or a shell before the playbook
 * begins, move what Ansible reads out of the checkout, or are how we follow the run.
 */
const DENIED = [
  /^SIGNALBOX_/,
  /^LD_/,
  /^DYLD_/,
  /^GCONV_PATH$/,
  /^PYTHON/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|IFS)$/,
  /^BASH_FUNC_/,
  /^(PERL5LIB|PERL5OPT|PERLLIB|RUBYOPT|RUBYLIB|NODE_OPTIONS)$/,
  /^GIT_(SSH|SSH_COMMAND|ASKPASS|EXEC_PATH|EXTERNAL_DIFF|PROXY_COMMAND|CONFIG.*)$/,
  /^SSH_(ASKPASS|ASKPASS_REQUIRE)$/,
  /^(PATH|HOME)$/,
  /^ANSIBLE_(CONFIG|HOME|LOCAL_TEMP|FORCE_COLOR|NOCOLOR|LOG_PATH)$/,
  /^ANSIBLE_(LIBRARY|MODULE_UTILS)$/,
  /^ANSIBLE_\w+_(PLUGINS|PLUGIN_PATH)$/,
  /^ANSIBLE_(VAULT_PASSWORD_FILE|VAULT_IDENTITY_LIST|BECOME_PASSWORD_FILE|CONNECTION_PASSWORD_FILE)$/,
  /^ANSIBLE_(SSH|SCP|SFTP)_EXECUTABLE$/,
];

export const isDeniedVariable = (name: string): boolean =>
  !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || DENIED.some((pattern) => pattern.test(name));

/** Lists where Ansible looks by default: a variable of ours replaces them, so they are said again. */
const DEFAULTS = {
  callbacks: '~/.ansible/plugins/callback:/usr/share/ansible/plugins/callback',
  roles: '~/.ansible/roles:/usr/share/ansible/roles:/etc/ansible/roles',
  collections: '~/.ansible/collections:/usr/share/ansible/collections',
};

export interface RunEnvironment {
  base: Record<string, string>;
  fromTemplate: Record<string, string>;
  config: AnsibleConfig;
  marker: string;
  eventsFile: string;
  temporary: string;
  knownHosts: string;
  /** What ansible-galaxy installed for this run. */
  rolesFolder: string | undefined;
  collectionsFolder: string | undefined;
}

const joined = (separator: string, ...parts: (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join(separator);

/** The environment of ansible-playbook. Whatever the repository or the template configures, ours is added behind it. */
export const runEnvironment = (run: RunEnvironment): Record<string, string> => {
  const {
    // Older names of settings that we add to: Ansible would take the one or the other.
    ANSIBLE_CALLBACK_WHITELIST,
    ANSIBLE_COLLECTIONS_PATHS,
    ...given
  } = Object.fromEntries(Object.entries(run.fromTemplate).filter(([name]) => !isDeniedVariable(name)));
  const enabled = given.ANSIBLE_CALLBACKS_ENABLED ?? ANSIBLE_CALLBACK_WHITELIST ?? run.config.callbacksEnabled;
  const callbacks = joined(',', enabled?.replaceAll('\n', ','), CALLBACK_NAME);
  const sshArguments = `-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile="${run.knownHosts}"`;
  return {
    ...run.base,
    ...(run.config.sshCommonArgs === undefined ? { ANSIBLE_SSH_COMMON_ARGS: sshArguments } : {}),
    ...given,
    ANSIBLE_CALLBACK_PLUGINS: joined(':', run.config.callbackPlugins ?? DEFAULTS.callbacks, CALLBACK_FOLDER),
    ANSIBLE_CALLBACKS_ENABLED: callbacks,
    ...(run.rolesFolder === undefined
      ? {}
      : {
          ANSIBLE_ROLES_PATH: joined(
            ':',
            given.ANSIBLE_ROLES_PATH ?? run.config.rolesPath ?? DEFAULTS.roles,
            run.rolesFolder,
          ),
        }),
    ...collectionPaths(given.ANSIBLE_COLLECTIONS_PATH ?? ANSIBLE_COLLECTIONS_PATHS, run),
    ANSIBLE_LOCAL_TEMP: run.temporary,
    ANSIBLE_FORCE_COLOR: '1',
    PYTHONUNBUFFERED: '1',
    SIGNALBOX_EVENTS: run.eventsFile,
    [RUN_MARKER]: run.marker,
  };
};

const collectionPaths = (given: string | undefined, run: RunEnvironment): Record<string, string> => {
  if (run.collectionsFolder === undefined) return given === undefined ? {} : { ANSIBLE_COLLECTIONS_PATH: given };
  const before = given ?? run.config.collectionsPath;
  return { ANSIBLE_COLLECTIONS_PATH: joined(':', before ?? DEFAULTS.collections, run.collectionsFolder) };
};
