import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'demo/README.md'], { cwd: ROOT }).sort();

/** A text that begins with one of these folders is a path of this repository. */
const TOP = /^(\.ci|bench|bin|contract|demo|deploy|docs|e2e|runner|server|tooling|web)\//;
/** Patterns, placeholders, and files that exist only after a build or a run. */
const MADE_LATER = /[*<>{}…]|^web\/dist|^e2e\/(results|contact-sheets)|^bench\/results/;

interface Mention {
  readonly document: string;
  readonly text: string;
}

const mentions = (pattern: RegExp): Mention[] =>
  DOCUMENTS.flatMap((document) =>
    [...readFileSync(join(ROOT, document), 'utf8').matchAll(pattern)].map((match) => ({
      document,
      text: match[1] ?? '',
    })),
  );

/** Returns the anchors of the headings of a document, as GitHub makes them. */
const headingsOf = (document: string): string[] =>
  [...readFileSync(join(ROOT, document), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

const scriptsOf = (file: string): string[] =>
  Object.keys(JSON.parse(readFileSync(join(ROOT, file), 'utf8')).scripts ?? {});

describe('the documents', () => {
  it('name only npm scripts that exist', () => {
    const scripts = new Set(['package.json', 'web/package.json'].flatMap(scriptsOf));
    const named = [...mentions(/\bnpm run ([a-z][\w:-]*)/g), ...mentions(/\bnpm (start|test)\b/g)];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ text }) => !scripts.has(text))).toEqual([]);
  });

  it('name only files and folders that exist', () => {
    const named = mentions(/`([^`\n]+)`/g)
      .flatMap(({ document, text }) => text.split(/\s+/).map((text) => ({ document, text: text })))
      .filter(({ text }) => TOP.test(text) && !MADE_LATER.test(text));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ text }) => !existsSync(join(ROOT, text)))).toEqual([]);
  });

  it('link only to files that exist', () => {
    const links = mentions(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g);
    const missing = links.filter(
      ({ document, text }) => !existsSync(join(ROOT, normalize(join(dirname(document), text)))),
    );
    expect(missing).toEqual([]);
  });

  it('link only to headings that exist', () => {
    const links = mentions(/\]\((?!https?:|mailto:)([^)\s]*#[^)\s]+)\)/g);
    expect(links.length).toBeGreaterThan(20);
    const missing = links.filter(({ document, text }) => {
      const [path = '', heading = ''] = text.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path));
      return !headingsOf(file).includes(heading);
    });
    expect(missing).toEqual([]);
  });
});
