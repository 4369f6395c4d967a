import type { Piece } from './ansi.ts';

/** A part of a line in one style, and whether it matches the search. */
export interface MatchedPiece extends Piece {
  readonly isMatch?: boolean;
}

/** Matches a text literally and case-insensitively, like the server. */
export const matcherFor = (text: string): RegExp => new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');

/** The parts of a line, split where matches begin and end. A match can span several parts. */
export const highlightMatches = (pieces: readonly Piece[], matcher: RegExp): MatchedPiece[] => {
  const matches = [
    ...pieces
      .map(({ text }) => text)
      .join('')
      .matchAll(matcher),
  ].map(({ index, 0: text }) => [index, index + text.length] as const);
  if (matches.length === 0) return [...pieces];
  let from = 0;
  return pieces.flatMap((piece) => {
    const start = from;
    const end = start + piece.text.length;
    from = end;
    const edges = matches.flat().filter((edge) => edge > start && edge < end);
    const cuts = [start, ...edges, end];
    return cuts.slice(1).map((cut, at) => {
      const begin = cuts[at] ?? start;
      const isMatch = matches.some(([first, last]) => begin >= first && cut <= last);
      return { ...piece, text: piece.text.slice(begin - start, cut - start), ...(isMatch ? { isMatch } : {}) };
    });
  });
};
