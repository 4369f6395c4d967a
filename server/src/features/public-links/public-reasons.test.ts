import { END_REASONS, EndReasonCode } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PUBLIC_REASONS } from './public-reasons.ts';

it('a feed shows exactly the end reasons that have no text as a parameter', () => {
  const hasText = (code: EndReasonCode) =>
    JSON.stringify(z.toJSONSchema(z.object(END_REASONS[code]))).includes('"string"');
  expect([...PUBLIC_REASONS]).toEqual(EndReasonCode.options.filter((code) => !hasText(code)));
});
