import type { EndReason } from '@signalbox/contract';
import { MAX_REASON_TEXT } from '@signalbox/contract/link';
import { ownDetail } from '../errors/own-detail.ts';
import { shortened } from '../errors/preparation-error.ts';
import type { ProgramEnd } from '../process/program.ts';
import { hostKeyHint, refusedHostKeys } from '../ssh/host-keys.ts';

/**
 * git writes the reason of an error at the end of its output, in short lines: how much of both is checked, in
 * characters.
 */
const TAIL_LENGTH = 64 * 1024;
const MAX_ROW_LENGTH = 1_000;
const MAX_REASON = 500;
const MAX_NAME_LENGTH = MAX_REASON_TEXT - 2;

/** Lines of git and ssh with the reason of an error. */
const REASON_LINE =
  /^(fatal|error|ssh|remote|Permission denied|Host key|Connection|kex_|Bad |command-line |\S{1,255}@\S{1,255}: Permission denied|\/\S{1,255}: line \d+)/i;

const withoutUserInfo = (text: string) => text.replace(/(:\/\/)[^/\s@]*@/g, '$1');

/** Frequent errors, with messages that name the solution. */
const KNOWN: readonly [
  pattern: RegExp,
  message: (match: RegExpExecArray) => string,
  endReason: (match: RegExpExecArray) => EndReason,
][] = [
  [
    /unable to access '([^']*)': .*(server certificate verification failed|SSL certificate|certificate verify failed|certificate subject name)/i,
    (match) =>
      `the certificate of ${match[1]} is not trusted: add its authority to the machine, or name a file with it in SSL_CERT_FILE`,
    () => ({ code: 'git.certificate_refused', params: { repository: '' } }),
  ],
  [
    /Authentication failed for '([^']*)'/i,
    (match) => `${match[1]} does not accept the login and password of the key`,
    () => ({ code: 'git.login_refused', params: { repository: '' } }),
  ],
  [
    /could not read (?:Username|Password) for '([^']*)'/i,
    (match) => `${match[1]} asks for a login and a password, and the repository has no key with them`,
    () => ({ code: 'git.login_missing', params: { repository: '' } }),
  ],
  [
    /(\S{1,255}): Permission denied \(([^)\n]{0,255})\)/,
    (match) => `${match[1]} does not accept the key (it takes ${match[2]})`,
    (match) => ({ code: 'git.key_refused', params: { repository: '', host: match[1] ?? '' } }),
  ],
];

/** The last lines that git wrote to stderr, each shortened, without the user info of URLs. */
const rowsOf = (end: ProgramEnd): string[] =>
  // User info is removed before the text is cut, because a part of it could not be recognized afterwards.
  withoutUserInfo(end.stderr)
    .slice(-TAIL_LENGTH)
    .split('\n')
    .map((row) => row.slice(0, MAX_ROW_LENGTH).trim());

/** The reason of a git error, on one line and without user info of URLs; `cut` shortens the output of git. */
const gitReason = (end: ProgramEnd, cut = (reason: string) => shortened(reason, MAX_REASON)): string => {
  if (end.error === 'missing') return 'git is not installed';
  if (end.error === 'timeout') return 'it took too long';
  if (end.code === null) return 'git was ended by a signal';
  const rows = rowsOf(end);
  const text = rows.join('\n');
  for (const [pattern, message] of KNOWN) {
    const match = pattern.exec(text);
    if (match) return cut(message(match));
  }
  const reasonRows = rows.filter((row) => REASON_LINE.test(row));
  const reason = (reasonRows.length > 0 ? reasonRows : rows.filter(Boolean))
    .slice(0, 3)
    .join('; ')
    .replace(/\b(fatal|error): /g, '');
  return cut(reason).replace(/\.$/, '');
};

/** Why git failed, as an end reason. `repository` is empty: `inRepository` sets it to the address without user info. */
export const gitEndReason = (end: ProgramEnd, areHostKeysKnown: boolean): EndReason => {
  if (end.error === 'missing') return { code: 'program.missing', params: { program: 'git' } };
  const [refused] = areHostKeysKnown ? refusedHostKeys(end.stderr) : [];
  if (refused) {
    const host = shortened(refused.host, MAX_NAME_LENGTH);
    return { code: 'git.host_key_refused', params: { repository: '', host } };
  }
  const detail = gitReason(end, (reason) => reason);
  const unreachable = (params: { detail: string }): EndReason => ({
    code: 'git.unreachable',
    params: { repository: '', ...params },
  });
  if (end.error === 'timeout') return unreachable(ownDetail('git_timeout', detail));
  if (end.code === null) return unreachable(ownDetail('git_signal', detail));
  const text = rowsOf(end).join('\n');
  for (const [pattern, , endReason] of KNOWN) {
    const match = pattern.exec(text);
    if (match) return endReason(match);
  }
  return unreachable({ detail });
};

/** The whole message of a failure, which begins with `failing` unless the key of a host is the reason. */
export const gitMessage = (failing: string, end: ProgramEnd, hostKeyFile: string | undefined): string => {
  const [refused] = hostKeyFile === undefined ? [] : refusedHostKeys(end.stderr);
  return refused && hostKeyFile !== undefined ? hostKeyHint(refused, hostKeyFile) : `${failing}: ${gitReason(end)}.`;
};
