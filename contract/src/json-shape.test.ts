import { describe, expect, it } from 'vitest';
import { JsonShape, jsonTextDepth } from './json-shape.ts';

const shapeOf = (pieces: readonly string[]) => {
  const shape = new JsonShape();
  for (const piece of pieces) shape.add(piece);
  return { depth: shape.depth, values: shape.values, keys: shape.keys };
};

describe('the shape of JSON text', () => {
  it.each([
    ['1', 0],
    ['"[[["', 0],
    ['{"a":[{}]}', 3],
    ['[[],[]]', 2],
    ['"\\"[["', 0],
    ['["\\\\",[]]', 2],
    ['['.repeat(100_000), 100_000],
  ])('returns the depth of %.20s', (text, depth) => expect(jsonTextDepth(text)).toBe(depth));

  it('counts at least all values and exactly all keys', () => {
    expect(shapeOf(['{"a":[1,2,{"b":null}],"c":":,"}'])).toMatchObject({ keys: 3 });
    expect(shapeOf(['[1,2,3]']).values).toBeGreaterThanOrEqual(4);
    expect(shapeOf([`[{}${',{}'.repeat(99)}]`]).values).toBeGreaterThanOrEqual(101);
  });

  it('does not depend on where the text is split into chunks', () => {
    const text = '{"a\\"[":["\\\\",{"ü":[1,[2]]}],"b":"]}"}';
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(shapeOf([text.slice(0, cut), text.slice(cut)]), text.slice(0, cut)).toEqual(shapeOf([text]));
    }
  });
});
