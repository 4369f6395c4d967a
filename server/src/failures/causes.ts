import type { CommonCause } from '@signalbox/contract';

/** A rule without a cause excludes messages from the rules after it. */
type Rule = readonly [CommonCause | undefined, readonly string[]];

/** Texts of common causes in lower case. The first rule with a text that the message contains applies. */
const FAILED: readonly Rule[] = [
  [undefined, ['are you root']],
  ['apt_locked', ['could not get lock /var/lib/', 'could not get lock /var/cache/apt', 'unable to acquire the dpkg']],
  [
    'apt_locked',
    ['unable to lock the administration directory', 'failed to lock apt', 'unable to lock directory /var/'],
  ],
  ['rpm_locked', ['yum lockfile is held by', 'holding the yum lock', 'transaction lock', 'failed to obtain the lock']],
  ['rpm_locked', ['system management is locked by', 'waiting for process with pid']],
  ['no_space', ['no space left on device', "don't have enough free space", 'not enough free space']],
  ['read_only', ['read-only file system']],
  ['out_of_memory', ['cannot allocate memory', 'out of memory', 'memoryerror']],
  [
    'sudo_password',
    ['missing sudo password', 'incorrect sudo password', 'sudo: a password is required', 'missing become password'],
  ],
  ['sudo_password', ['incorrect su password', 'incorrect become password']],
  ['sudo_denied', ['is not in the sudoers file', 'is not allowed to execute', 'may not run sudo']],
  ['undefined_variable', ['is undefined', "object' has no attribute", 'undefined variable']],
  ['hidden', ["'no_log: true' was specified"]],
];

const UNREACHABLE: readonly Rule[] = [
  ['host_key_changed', ['host key of', 'remote host identification has changed']],
  ['host_key_unknown', ['host key verification failed', 'host key is known for', 'authenticity of host']],
  [
    'login_denied',
    ['permission denied', 'too many authentication failures', 'authentication failed', 'invalid/incorrect password'],
  ],
  ['login_denied', ['the specified credentials were rejected', 'no more authentication methods']],
  [
    'name_unknown',
    ['could not resolve hostname', 'name or service not known', 'name resolution', 'no address associated'],
  ],
  ['connection_timeout', ['timed out', 'timeout']],
  ['connection_refused', ['connection refused']],
  ['no_route', ['no route to host', 'network is unreachable', 'host is down']],
  [
    'connection_closed',
    ['connection closed', 'connection reset', 'broken pipe', 'closed by remote', 'shared connection to'],
  ],
  ['no_space', ['no space left on device']],
  ['python_missing', ['python: not found', 'python3: not found', 'no python interpreters found']],
];

const PYTHON: Rule = [
  'python_missing',
  [
    'probably need to set the interpreter',
    '/bin/sh: 1: /usr/bin/python',
    '/bin/sh: /usr/bin/python',
    'no python interpreters found',
    '/python: not found',
    '/python3: not found',
    'python: command not found',
  ],
];

const find = (rules: readonly Rule[], text: string): CommonCause | undefined =>
  rules.find(([, texts]) => texts.some((one) => text.includes(one)))?.[0];

/** The common cause of a failure, if its message names one. */
export const causeOf = (message: string, result: 'failed' | 'unreachable'): CommonCause | undefined => {
  const text = message.toLowerCase();
  return result === 'unreachable' ? find(UNREACHABLE, text) : find([...FAILED, PYTHON], text);
};
