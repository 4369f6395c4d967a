import type { Measured, Row } from './measure.ts';

const HEAD = ['Measure', 'Result', 'Baseline', 'Ratio', 'Aim', 'Met'];

const met = ({ isMet }: Row): string => (isMet === undefined ? '–' : isMet ? 'yes' : '**no**');

const cells = (row: Row): string[] => [row.what, row.result, row.baseline, row.ratio, row.aim, met(row)];

const line = (words: readonly string[]): string => `| ${words.join(' | ')} |`;

/** The rows as a table in Markdown. */
export const table = (rows: readonly Row[]): string =>
  [line(HEAD), line(HEAD.map(() => '---')), ...rows.map((row) => line(cells(row)))].join('\n');

/** The page of the documentation: what was measured where, with which command, and what each number means. */
export const page = (
  machine: readonly (readonly [string, string])[],
  measured: readonly (Measured & { title: string })[],
): string =>
  [
    '# Performance',
    'What `npm run bench` measured on one machine in one run, on the product as it is started by `npm start`. Every ratio is against a baseline that was measured in the same run: absolute numbers differ between machines, ratios much less. `npm run bench -- --only whole,flood` runs single measures and leaves this page alone.',
    line(['', '']),
    line(['---', '---']),
    ...machine.map(line),
    '',
    table(measured.flatMap(({ rows }) => rows)),
    ...measured.flatMap(({ title, how }) => ['', `## ${title}`, '', how]),
    '',
  ]
    .join('\n')
    .replace('# Performance\n', '# Performance\n\n')
    .replace('alone.\n', 'alone.\n\n');
