import { readFileSync } from 'node:fs';
import { ALERTS } from '@signalbox/lang/catalogues';
import { describe, expect, it } from 'vitest';
import { flatten, PLURAL } from '../../../../testing/catalogue-errors.ts';
import { translatorFor } from './alert-texts.ts';

describe('the texts of alerts', () => {
  it('are all used', () => {
    const source = [
      'alert-message.ts',
      'approval-message.ts',
      'proof-message.ts',
      'schedule-message.ts',
      'silent-message.ts',
      '../public-links/public-content.ts',
    ]
      .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
      .join('\n');
    const used = new Set([...source.matchAll(/translate\((?:'|`)([\w.]+)/g)].map(([, key]) => key));
    const keys = new Set(flatten(ALERTS.en).map(([key]) => key.replace(PLURAL, '')));
    for (const key of keys) expect(used.has(key) || used.has(`${key.split('.')[0]}.`), key).toBe(true);
  });

  it('cause an error when one is missing', () => {
    expect(translatorFor('de')('hosts', { count: 1234 })).toBe('1.234 Hosts fehlgeschlagen');
    expect(() => translatorFor('en')('nothing')).toThrow('no text nothing');
  });
});
