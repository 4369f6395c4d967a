import { join } from 'node:path';
import type { AnsibleConfig } from './ansible-config.ts';
import { LOCKS_CALLBACK } from './locked-hosts.ts';

export const CALLBACK_FOLDER = join(import.meta.dirname, 'callback_plugins');
/** Code of the plugins in the folder above, which would load each of its files as a plugin. */
export const CALLBACK_NOTES_FOLDER = join(import.meta.dirname, 'callback-notes');
const CALLBACK_NAME = 'signalbox';

/**
 * Variables that the environment of a template may not set; `*` stands for any letters. They load code into Python, the loader
 * or a shell before the playbook begins, redirect what Ansible reads, or are used to follow the run.
 */
export const DENIED_VARIABLES = [
  'SIGNALBOX_*',
  'PATH',
  'HOME',
  'LD_*',
  'DYLD_*',
  'GCONV_PATH',
  'GLIBC_TUNABLES',
  'OPENSSL_CONF',
  'OPENSSL_ENGINES',
  'OPENSSL_MODULES',
  'PYTHON*',
  'PERL5LIB',
  'PERL5OPT',
  'PERLLIB',
  'RUBYLIB',
  'RUBYOPT',
  'NODE_OPTIONS',
  'BASH_ENV',
  'BASH_FUNC_*',
  'BASHOPTS',
  'ENV',
  'IFS',
  'PS4',
  'SHELLOPTS',
  'SSH_ASKPASS',
  'SSH_ASKPASS_REQUIRE',
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'SSH_PKCS11_HELPER',
  'SSH_SK_HELPER',
  'SSH_SK_PROVIDER',
  'GIT_ALLOW_PROTOCOL',
  'GIT_ASKPASS',
  'GIT_CONFIG*',
  'GIT_EXEC_PATH',
  'GIT_EXTERNAL_DIFF',
  'GIT_PROXY_COMMAND',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_TEMPLATE_DIR',
  'ANSIBLE_CONFIG',
  'ANSIBLE_HOME',
  'ANSIBLE_LOCAL_TEMP',
  'ANSIBLE_FORCE_COLOR',
  'ANSIBLE_NOCOLOR',
  'ANSIBLE_LOG_PATH',
  'ANSIBLE_LIBRARY',
  'ANSIBLE_MODULE_UTILS',
  'ANSIBLE_*_PLUGINS',
  'ANSIBLE_*_PLUGIN_PATH',
  'ANSIBLE_VAULT_PASSWORD_FILE',
  'ANSIBLE_VAULT_IDENTITY_LIST',
  'ANSIBLE_BECOME_PASSWORD_FILE',
  'ANSIBLE_CONNECTION_PASSWORD_FILE',
  'ANSIBLE_SSH_EXECUTABLE',
  'ANSIBLE_SCP_EXECUTABLE',
  'ANSIBLE_SFTP_EXECUTABLE',
  'ANSIBLE_CONNECTION_PATH',
  'ANSIBLE_COW_PATH',
  'ANSIBLE_PRIVATE_KEY_FILE',
  'ANSIBLE_SSH_CONTROL_PATH',
  'ANSIBLE_SSH_CONTROL_PATH_DIR',
] as const;

const DENIED = new RegExp(`^(${DENIED_VARIABLES.map((name) => name.replaceAll('*', '\\w*')).join('|')})$`);

export const isDeniedVariable = (name: string): boolean => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || DENIED.test(name);

/** The default paths of Ansible, which must be repeated because a variable replaces them. */
const DEFAULTS = {
  callbacks: '~/.ansible/plugins/callback:/usr/share/ansible/plugins/callback',
  roles: '~/.ansible/roles:/usr/share/ansible/roles:/etc/ansible/roles',
  collections: '~/.ansible/collections:/usr/share/ansible/collections',
};

export interface SshEnvironment {
  /** The socket of the agent with the run's key; undefined without a key. */
  socket: string | undefined;
  /** The folder for the sockets of ssh masters. Other runs must not find them, because their connections are open. */
  folder: string;
  /** The arguments of ssh, by the name of the variable that Ansible reads. */
  arguments: Record<string, string>;
  isStrict: boolean;
}

export interface RunEnvironment {
  base: Record<string, string>;
  fromTemplate: Record<string, string>;
  config: AnsibleConfig;
  eventsFile: string;
  /** Path of the file with the hosts that the run may target; undefined for any. */
  lockedHosts?: string | undefined;
  /** Size of that file above which the callback plugin writes less, in bytes. */
  eventsLimit: number;
  /** Whether facts that the playbook gathers are written to that file. */
  facts?: boolean;
  temporary: string;
  /** Settings for the ssh of this run. */
  ssh: SshEnvironment;
  /** Folders with requirements for this run. */
  rolesFolder: string | undefined;
  collectionsFolder: string | undefined;
}

const joined = (separator: string, ...parts: (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join(separator);

/** The environment of ansible-playbook: settings of the repository and the template, extended by those of the runner. */
export const runEnvironment = (run: RunEnvironment): Record<string, string> => {
  const {
    // Older names of extended settings: Ansible would use only one of the two names.
    ANSIBLE_CALLBACK_WHITELIST,
    ANSIBLE_COLLECTIONS_PATHS,
    ...given
  } = Object.fromEntries(Object.entries(run.fromTemplate).filter(([name]) => !isDeniedVariable(name)));
  const enabled = given.ANSIBLE_CALLBACKS_ENABLED ?? ANSIBLE_CALLBACK_WHITELIST ?? run.config.callbacksEnabled;
  const callbacks = joined(',', enabled?.replaceAll('\n', ','), CALLBACK_NAME, run.lockedHosts && LOCKS_CALLBACK);
  return {
    ...run.base,
    ...given,
    ...sshVariables(run.ssh),
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
    ...(run.lockedHosts === undefined ? {} : { SIGNALBOX_LOCKED_HOSTS: run.lockedHosts }),
    SIGNALBOX_EVENTS_LIMIT: String(run.eventsLimit),
    ...(run.facts ? { SIGNALBOX_FACTS: '1' } : {}),
  };
};

/** Maximum length of the folder for sockets of ssh masters: ssh adds 28 characters, and a socket path may have 107. */
const MAX_CONTROL_FOLDER_LENGTH = 79;

const sshVariables = (ssh: SshEnvironment): Record<string, string> => ({
  ...(ssh.socket === undefined ? {} : { SSH_AUTH_SOCK: ssh.socket }),
  ...ssh.arguments,
  ANSIBLE_SSH_CONTROL_PATH_DIR: ssh.folder,
  // Empty makes Ansible choose a short name, whatever a configuration sets.
  ANSIBLE_SSH_CONTROL_PATH: Buffer.byteLength(ssh.folder) > MAX_CONTROL_FOLDER_LENGTH ? 'none' : '',
  ...(ssh.isStrict ? { ANSIBLE_HOST_KEY_CHECKING: 'True' } : {}),
});

const collectionPaths = (given: string | undefined, run: RunEnvironment): Record<string, string> => {
  if (run.collectionsFolder === undefined) return given === undefined ? {} : { ANSIBLE_COLLECTIONS_PATH: given };
  const before = given ?? run.config.collectionsPath;
  return { ANSIBLE_COLLECTIONS_PATH: joined(':', before ?? DEFAULTS.collections, run.collectionsFolder) };
};
