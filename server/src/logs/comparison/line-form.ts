import { plainText } from '../plain-text.ts';

/** Characters of a line that are compared. */
const MAX_COMPARED = 4_000;

/** What replaces a host, and a time or number. */
const HOST = '@host';
const NUMBER = '#';

/** Temporary names of Ansible, Python and mktemp, whose letters are random. */
const TEMPORARY = /\bansible-(?:tmp|local)-[\w.-]+|\bansible[.\w]{0,60}_payload_\w+|\btmp(?:\w{8}\b|\.\w{6,12}\b)/g;
/** The folder of a run up to its parts, which is elsewhere on other runners. */
const RUN_FOLDER = /(?:\/[\w.-]{1,100}){1,20}\/\d{1,12}-\d{1,12}\/(?=(?:checkout|secrets|tmp)\b)/g;
/** The folder for temporary files of Ansible, which is in the home of a user. */
const ANSIBLE_FOLDER = /(?:\/[\w.-]{1,100}){1,20}\/\.ansible\/tmp\//g;
const TEMPORARY_PATH = /(?<![\w.-])(?:\/var)?\/tmp\/[\w.-]{1,200}/g;
/** Part of a name with letters and digits, or small and capital letters, in any order. */
const RANDOM = /(?=[A-Za-z\d]{6})(?:[A-Za-z]+\d|\d+[A-Za-z]|[A-Za-z]*[a-z][A-Z])/;
/** The lines before a difference. They name temporary files and line numbers; its lines follow. */
const DIFFERENCE_HEADER = /^(?:(--- before|\+\+\+ after)(?:: .*)?|@@ .*)$/;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Hashes and ids, if they contain a digit. */
const HEX = /\b(?:0x)?[0-9a-f]{7,}\b/gi;
const NUMBERS = /\d+(?:[.:,]\d+)*/g;
/** Names of days and months, before a number. */
const DATE_NAMES =
  /\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b(?=[ ,]+(?:#|[A-Z][a-z]{2} +#))/g;
const NAME = /[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?/gu;

/**
 * What a line has in common with lines that differ only in times, names of hosts, temporary names and numbers. Equal for
 * such lines.
 * @param hosts names of the hosts of both runs
 */
export const lineForm = (line: string, hosts: ReadonlySet<string>): string =>
  plainText(line)
    .slice(0, MAX_COMPARED)
    .replace(NAME, (name) => (hosts.has(name) ? HOST : name))
    .replace(RUN_FOLDER, '/')
    .replace(ANSIBLE_FOLDER, '/')
    .replace(TEMPORARY, NUMBER)
    .replace(TEMPORARY_PATH, (path) => (RANDOM.test(path) ? NUMBER : path))
    .replace(DIFFERENCE_HEADER, (_, header: string | undefined) => header ?? '@@')
    .replace(UUID, NUMBER)
    .replace(HEX, (text) => (/\d/.test(text) ? NUMBER : text))
    .replace(NUMBERS, NUMBER)
    .replace(DATE_NAMES, NUMBER)
    // Ansible fills the lines of its headers to the width of a terminal.
    .replace(/\*{3,}/g, '***')
    .replace(/\s+/g, ' ')
    .trim();
