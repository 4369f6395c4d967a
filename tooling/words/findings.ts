import { readSourceTexts, type SourceText } from './source-texts.ts';
import { ACCEPTED_IN_FILES, ACCEPTED_NAMES, REFUSED_WORDS, type RefusedWord } from './word-list.ts';

export interface WordFinding {
  readonly path: string;
  readonly line: number;
  readonly word: string;
  readonly instead: string;
  readonly text: string;
}

/** Number of characters before and after a word in which an exception of its entry is searched. */
const CONTEXT = 70;

const patternOf = ({ forms }: RefusedWord): RegExp => new RegExp(`(?<![\\w-])(?:${forms.join('|')})(?![\\w-])`, 'gi');
const PATTERNS = REFUSED_WORDS.map((entry) => ({ entry, pattern: patternOf(entry) }));

/** Most texts contain no refused word at all, so one search decides for them. */
const ANY = new RegExp(`(?<![\\w-])(?:${REFUSED_WORDS.flatMap(({ forms }) => forms).join('|')})(?![\\w-])`, 'i');

const findIn = (path: string, { kind, text, line }: SourceText): WordFinding[] =>
  PATTERNS.filter(({ entry }) => (entry.only ?? kind) === kind && (entry.paths?.test(path) ?? true)).flatMap(
    ({ entry, pattern }) =>
      [...text.matchAll(pattern)].flatMap(({ 0: word, index }) => {
        const context = text.slice(Math.max(0, index - CONTEXT), index + word.length + CONTEXT);
        if (entry.except?.test(context)) return [];
        const offset = text.slice(0, index).split('\n').length - 1;
        return [{ path, line: line + offset, word, instead: entry.instead, text: context.replace(/\s+/g, ' ').trim() }];
      }),
  );

/** The words that a file may use. */
const acceptedIn = (path: string): ReadonlySet<string> =>
  new Set(ACCEPTED_IN_FILES.filter((entry) => entry.path.test(path)).flatMap(({ words }) => words));

/** Finds refused words in the names and the prose of a file. A word counts once a line. */
export const findRefusedWords = (path: string, text: string): WordFinding[] => {
  const found = new Map<string, WordFinding>();
  const accepted = acceptedIn(path);
  for (const part of readSourceTexts(path, text).filter(
    (one) => ANY.test(one.text) && !(one.kind === 'names' && one.text in ACCEPTED_NAMES),
  ))
    for (const finding of findIn(path, part)) {
      const word = finding.word.toLowerCase();
      if (!accepted.has(word)) found.set(`${finding.line} ${word}`, finding);
    }
  return [...found.values()];
};
