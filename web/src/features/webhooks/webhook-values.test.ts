import { describe, expect, it } from 'vitest';
import { headersOf, sampleOf } from './webhook-values.ts';

describe('the sample of a call', () => {
  it('has the body of a received call with indentation, and the headers that conditions may need', () => {
    const sample = sampleOf({ headers: { host: 'ci.example', 'x-github-event': 'release' }, body: '{"a":[1]}' });
    expect(sample).toEqual({ headers: 'x-github-event: release', body: '{\n  "a": [\n    1\n  ]\n}' });
    expect(sampleOf({ headers: {}, body: 'payload=%7B%7D' }).body).toBe('payload=%7B%7D');
  });

  it('has one header in each line, whose value may contain colons', () => {
    expect(headersOf('X-Event: a:b\n\nno value\n: c\n X-Two :2')).toEqual({ 'X-Event': 'a:b', 'X-Two': '2' });
  });
});
