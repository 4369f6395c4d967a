import type { EndReasonCode, Task } from '@signalbox/contract';
import type { LogLine } from '../log/line-cache.ts';

/** Number of lines at the end of a log that are searched for the reason. */
const SEARCHED_LINES = 60;

/** Number of characters of a detail that are searched: Ansible may break a longer line. */
const DETAIL_LENGTH = 40;

/** End reasons that Ansible prints into the log. For all others, Signalbox writes the last line of the log. */
const PRINTED_BY_ANSIBLE: ReadonlySet<EndReasonCode> = new Set([
  'playbook.invalid',
  'playbook.module_missing',
  'ansible.refused',
  'limit.no_match',
]);

/** The beginning of the text that Ansible printed; empty if unknown. */
const printedText = ({ code, params }: NonNullable<Task['end_reason']>): string => {
  if (code === 'playbook.module_missing') return `module/action '${params.module}'`;
  return 'detail' in params ? params.detail.slice(0, DETAIL_LENGTH) : '';
};

/**
 * Finds the line that shows why a task failed. For a reason that Ansible printed, this is the last line of Ansible's output
 * that contains the detail of the reason, or the last line of output if none does. For all other reasons, it is the last line
 * of the log.
 * @param total number of lines of the log
 * @param lineAt returns a line by its number; undefined while it is not loaded
 * @returns the number of the line
 */
export const reasonLine = (
  reason: Task['end_reason'],
  total: number,
  lineAt: (line: number) => LogLine | undefined,
): number => {
  if (reason === null || !PRINTED_BY_ANSIBLE.has(reason.code)) return total;
  const printed = printedText(reason);
  let lastOutput = total;
  for (let line = total; line > Math.max(0, total - SEARCHED_LINES); line -= 1) {
    const [, text = '', source] = lineAt(line) ?? [];
    if (text.trim() === '' || source !== undefined) continue;
    if (printed === '' || text.includes(printed)) return line;
    if (lastOutput === total) lastOutput = line;
  }
  return lastOutput;
};
