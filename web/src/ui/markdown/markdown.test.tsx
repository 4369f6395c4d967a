import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Markdown } from './markdown.tsx';

it('a text in Markdown has links that open another page, and emphasis', async () => {
  await show(<Markdown text={'Wait until **04:30**, see [OPS-311](https://tickets.example/311).\n\n- one\n- two'} />);
  const link = await screen.findByRole('link', { name: 'OPS-311' });
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://tickets.example/311',
    'noopener noreferrer',
  ]);
  expect(screen.getByText('04:30').tagName).toBe('STRONG');
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});

it.each([
  ['a style', 'style="position:fixed"'],
  ['an id', 'id="root" tabindex="0" contenteditable="true" hidden accesskey="s"'],
])('%s behind a code fence becomes no attribute', async (_, attributes) => {
  await show(<Markdown text={`\`\`\`js ${attributes}\ncode\n\`\`\`\n\n[loaded](https://tickets.example)`} />);
  await screen.findByRole('link', { name: 'loaded' });
  const code = screen.getByText('code');
  expect(code.tagName).toBe('CODE');
  expect(code.getAttributeNames()).toEqual([]);
});

it('a table keeps its alignment, and a list its first number and its checkboxes', async () => {
  await show(<Markdown text={'| a | b |\n| --- | --: |\n| 1 | 2 |\n\n3. three\n4. four\n\n- [x] done'} />);
  expect((await screen.findByRole('cell', { name: '2' })).style.textAlign).toBe('right');
  expect(screen.getAllByRole('list')[0]?.getAttribute('start')).toBe('3');
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});

it.each([
  ['HTML', '<img src="https://evil.example/a.png"> <script>alert(1)</script> <b onclick="x()">bold</b>'],
  ['a picture', '![seen](https://evil.example/a.png)'],
  ['a link that runs a script', '[open](javascript:alert(1)) [data](data:text/html,x) <javascript:alert(1)>'],
  [
    'a link to a program',
    '[a](vscode://x/y) [b](file:///etc/passwd) [c](ms-msdt:/id) [d](//evil.example) [e](mailto:x@y)',
  ],
  ['a hidden script', '[open](java\nscript:alert(1)) [upper](JaVaScRiPt:alert(1)) [code](&#106;avascript:alert(1))'],
])('%s in a text requests nothing and runs nothing', async (_, text) => {
  await show(<Markdown text={`before ${text} after\n\n[loaded](https://tickets.example)`} />);
  const loaded = await screen.findByRole('link', { name: 'loaded' });
  const whole = loaded.closest('div[class*="markdown"]') as HTMLElement;
  expect(whole.textContent).toContain('before');
  expect(whole.querySelectorAll('img, script, iframe, style, [onclick]')).toHaveLength(0);
  for (const link of whole.querySelectorAll('a[href]')) expect(link.getAttribute('href')).toMatch(/^https:/);
});
