import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The labels in single-sign-on.md belong to the consoles of sign-in providers. */
const DOCUMENTS = globSync('docs/{guides,operations}/*.md', { cwd: ROOT })
  .filter((path) => !path.endsWith('/single-sign-on.md'))
  .sort();

/** Emphasised texts that are no labels, by reason. */
const EXCEPTIONS = new Set([
  // The beginning of a paragraph, instead of a heading.
  ...['SSH keys', 'Passwords', 'Shared connections', 'Requirements', 'Certificates'],
  ...['If the key is in the file', 'If the key is in the settings'],
  // Warnings.
  'Every user of the machine can see passwords in arguments',
  'The clocks of the server and of the phones must be correct',
]);

const textsOf = (catalogue: object): string[] =>
  Object.values(catalogue).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)));

const LABELS = new Set(textsOf(JSON.parse(read('web/src/lang/en.json'))));

/**
 * Returns the texts in italics or bold that begin with a capital letter. Those that begin with a small letter introduce
 * a term. Code is no emphasis.
 */
const emphasisedIn = (markdown: string): string[] =>
  [
    ...markdown
      .replaceAll(/```[\s\S]*?```|`[^`\n]*`|^ {4}.*$/gm, '')
      .matchAll(/(?<!\*)(\*\*?)(?<text>\p{Lu}[^*\n]*)\1(?!\*)/gu),
  ].map(({ groups }) => groups?.text ?? '');

describe('the labels of the console in the guides', () => {
  const found = DOCUMENTS.flatMap((document) => emphasisedIn(read(document)).map((text) => ({ document, text })));

  it('exist in the English catalogue, unless they are listed exceptions', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ text }) => !LABELS.has(text) && !EXCEPTIONS.has(text))).toEqual([]);
  });

  it('have only exceptions that a guide contains and that are no labels', () => {
    const used = new Set(found.map(({ text }) => text));
    expect([...EXCEPTIONS].filter((text) => !used.has(text) || LABELS.has(text))).toEqual([]);
  });

  it('are found in italics and in bold, but not in code', () => {
    const markdown =
      'Press **Save key**, choose *Static* or a *term*.\n\n    *Not this*\n\n`**Nor this**` and 2 * 3 * 4.';
    expect(emphasisedIn(`${markdown}\n\n*Last*`)).toEqual(['Save key', 'Static', 'Last']);
  });
});
