import type { HostRecord } from '@signalbox/contract';

/** Maximum number of characters and lines of a message that count. */
const MAX_TEXT = 1500;
const MAX_LINES = 3;

/** Where Ansible begins to show the source of a step, or where it searched: these texts do not name the failure. */
const TRAILERS = [
  'The error appears to be in',
  'The offending line appears to be',
  'The error appears to have been in',
  '. String: ',
  'Searched in:',
  ' on the Ansible Controller',
  'If you are using a module and expect',
];
const TRACEBACK = 'Traceback (most recent call last)';
/** First lines of the messages of loops, which contain no reason. */
const LOOP_TITLES = ['All items completed', 'One or more items failed', 'All items skipped'];

const withoutTrailer = (text: string): string => {
  const starts = TRAILERS.map((trailer) => text.indexOf(trailer)).filter((at) => at > 0);
  return starts.length === 0 ? text : text.slice(0, Math.min(...starts));
};

/** The reason in a line about items of a loop, `names: reason`. */
const withoutNames = (line: string, names: readonly string[]): string => {
  let rest = line;
  for (const name of names) {
    if (!rest.startsWith(name)) continue;
    rest = rest.slice(name.length);
    if (rest.startsWith(', ')) rest = rest.slice(2);
    else if (rest.startsWith(': ')) return rest.slice(2);
    else break;
  }
  return line;
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The lines of a message that name the reason of a failure, without the names of the items of a loop. */
export const reasonText = ({ message, result, items }: Pick<HostRecord, 'message' | 'result' | 'items'>): string => {
  const lines = linesOf(withoutTrailer(message.slice(0, 10_000)));
  const own = items ? lines.map((line) => withoutNames(line, items.names)) : lines;
  const reasons = own.length > 1 ? own.filter((line) => !LOOP_TITLES.some((title) => line.startsWith(title))) : own;
  // The reason of a traceback is its last line. The callback plugin puts the reason of an unreachable host first.
  const isTrace = reasons.some((line) => line.includes(TRACEBACK));
  const chosen = isTrace ? reasons.slice(-1) : reasons.slice(0, result === 'unreachable' || items ? 1 : MAX_LINES);
  return chosen.join('\n').slice(0, MAX_TEXT);
};
