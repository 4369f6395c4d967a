import type { Tree } from '@lezer/common';

/** What is wrong with a text, and where. */
export interface CodeProblem {
  /** Counted from 1; undefined where it is the whole. */
  readonly line: number | undefined;
  /** Key of the message. */
  readonly key: 'code.json' | 'code.object' | 'code.array';
}

const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/** Why a text is no JSON, or none of the shape that is asked for; an empty text is right. */
export const jsonProblem = (text: string, shape: 'object' | 'array'): CodeProblem | undefined => {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    const said = fault instanceof Error ? fault.message : '';
    const position = /position (\d+)/.exec(said)?.[1];
    const line = /line (\d+)/.exec(said)?.[1];
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

/** The first line that the parser of the editor could not read; undefined when it could read all. */
export const brokenLine = (text: string, tree: Tree): number | undefined => {
  let position: number | undefined;
  tree.iterate({
    enter: (node) => {
      if (position === undefined && node.type.isError) position = node.from;
    },
  });
  return position === undefined ? undefined : lineOf(text, position);
};
