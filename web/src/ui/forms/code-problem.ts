import type { Tree } from '@lezer/common';

/** A problem in a text with its position. */
export interface CodeProblem {
  /** Line number from 1; undefined if it applies to the whole text. */
  readonly line: number | undefined;
  /** Catalogue key of the message. */
  readonly key: 'code.json' | 'code.object' | 'code.array';
}

const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/** Why a text is not valid JSON of the given shape. An empty text is valid. */
export const jsonProblem = (text: string, shape: 'object' | 'array'): CodeProblem | undefined => {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /position (\d+)/.exec(message)?.[1];
    const line = /line (\d+)/.exec(message)?.[1];
    if (line !== undefined) return { line: Number(line), key: 'code.json' };
    return {
      line: position === undefined ? lineOf(text, text.length) : lineOf(text, Number(position)),
      key: 'code.json',
    };
  }
  const isRight =
    shape === 'array' ? Array.isArray(value) : typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRight ? undefined : { line: undefined, key: shape === 'array' ? 'code.array' : 'code.object' };
};

/** The first line that the editor's parser could not read; undefined if it could read all lines. */
export const brokenLine = (text: string, tree: Tree): number | undefined => {
  let position: number | undefined;
  tree.iterate({
    enter: (node) => {
      if (position === undefined && node.type.isError) position = node.from;
    },
  });
  return position === undefined ? undefined : lineOf(text, position);
};
