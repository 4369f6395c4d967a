/** Terms that contain digits, slashes or dots and are the same in every message. */
const FIXED = new Set([
  ...['python2', 'python3', 'sha1', 'sha256', 'sha512', 'md5', 'utf8', 'utf-8', 'ipv4', 'ipv6', 'x509', 'ext4', 'ext3'],
  ...['base64', 'http/1.1', 'ssh2', 'libselinux-python3', 'python3-apt', 'stdout/stderr', 'stderr/stdout'],
  ...['input/output', 'and/or', 'n/a', 'e.g', 'i.e', 'ssl/tls', 'tcp/ip', 'read/write', 'enable/disable', 'yes/no'],
]);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const DATE_TERMS = new Set([...MONTHS, ...WEEKDAYS]);

/** Whether a term is part of a date if a number is next to it. */
export const isDateTerm = (term: string): boolean => term.length === 3 && DATE_TERMS.has(term.toLowerCase());

/** Terms after which a number is a code: it names the failure. */
const BEFORE_CODE = new Set(['code', 'status', 'errno', 'rc', 'error', 'exit', 'http', 'was', 'returned', 'sqlstate']);

/** Whether a number is kept after this term, as in `rc 1` and `Status code was 503`. */
export const isCodeAfter = (before: string, term: string): boolean =>
  BEFORE_CODE.has(before.toLowerCase()) && /^-?\d{1,5}$/.test(term);

/** Kinds of objects that a name follows without quotes, as in `service nginx`. */
const NAMED = new Set([
  'user',
  'group',
  'service',
  'container',
  'endpoint',
  'package',
  'zone',
  'host',
  'role',
  'volume',
]);
/** What follows such a kind if no name does. */
const NO_NAMES = new Set([
  ...['is', 'are', 'was', 'were', 'does', 'do', 'did', 'has', 'have', 'had', 'not', 'no', 'name', 'names', 'id', 'ids'],
  ...[
    'failed',
    'fails',
    'with',
    'for',
    'in',
    'on',
    'to',
    'and',
    'or',
    'of',
    'by',
    'from',
    'as',
    'at',
    'the',
    'a',
    'an',
  ],
  ...['must', 'may', 'can', 'cannot', 'could', 'should', 'will', 'would', 'already', 'exists', 'exist', 'key', 'keys'],
  ...[
    'list',
    'lists',
    'file',
    'files',
    'account',
    'cache',
    'manager',
    'unit',
    'unknown',
    'error',
    'user',
    'group',
    'name:',
  ],
  ...['specified', 'requested', 'named', 'found', 'because', 'when', 'if', 'that', 'this', 'only', 'process', 'port'],
]);

/** Whether a term is a name because of the term before it. */
export const isNameAfter = (before: string, term: string): boolean =>
  NAMED.has(before.toLowerCase()) && !NO_NAMES.has(term.toLowerCase());

/** Codes of errors of programs, such as `ORA-01017`, `E404` and `AH00526`. Other such terms are ids. */
const ERROR_CODE = /^(?:E|AH|SQL|ORA-|TNS-|PLS-)\d{2,6}$/;
const EXCEPTION = /(?:Error|Exception|Warning|Fault)$/;
const LETTER = /\p{L}/u;
const HEX_ID = /^[0-9a-fA-F]{8,}$/;

/** Whether a term has a dot between other characters, as names of hosts, units and files have. */
const hasInnerDot = (term: string): boolean => {
  const at = term.indexOf('.', 1);
  return at > 0 && at < term.length - 1;
};

/** Whether a term is a value: a path, an address, a name with a number or a dot, a version, a size or an id. */
export const isValue = (term: string): boolean => {
  const lower = term.toLowerCase();
  if (FIXED.has(lower) || ERROR_CODE.test(term)) return false;
  if (/\d/.test(term) || term.includes('@') || HEX_ID.test(term)) return true;
  if (term.includes('/') || term.includes('\\')) return term.length > 1;
  if (!LETTER.test(term)) return false;
  return hasInnerDot(term) && !EXCEPTION.test(term) && !lower.startsWith('ansible.');
};
