import type { Measured, Row } from './measure.ts';

const HEAD = ['Measure', 'Result', 'Baseline', 'Ratio', 'Aim', 'Met'];

const met = ({ isMet }: Row): string => (isMet === undefined ? '–' : isMet ? 'yes' : '**no**');

const cells = (row: Row): string[] => [row.what, row.result, row.baseline, row.ratio, row.aim, met(row)];

const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;

/** Formats rows as a Markdown table. */
export const table = (rows: readonly Row[]): string =>
  [line(HEAD), line(HEAD.map(() => '---')), ...rows.map((row) => line(cells(row)))].join('\n');

/** When a measurement began, and how busy the machine was. */
export interface Moment {
  readonly date: Date;
  /** The load average of the last minute before `date`. */
  readonly load: number;
}

/** Formats one measure as the body of a section of the page. */
export const section = ({ rows, how }: Measured, { date, load }: Moment): string => {
  const when = date.toISOString().slice(0, 16).replace('T', ' ');
  return `${table(rows)}\n\n${how}\n\nMeasured at ${when} UTC, load ${load.toFixed(1)} in the minute before.`;
};

const INTRODUCTION =
  'The results of `npm run bench` on one machine, with the product as `npm start` starts it. Every ratio compares with a baseline of the same run: absolute numbers differ much between machines, ratios little. Other programs on the same cores make both worse. `npm run bench -- --only whole,flood` runs single measures and replaces their sections. `npm run bench:peer` measures any running server that has the API of Semaphore UI with one client, so that two servers can be compared on one machine.';

/** Reads the sections of an existing page. @returns the body of each section by its title */
export const sectionsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const [title = '', ...body] = part.split('\n');
        return [title, body.join('\n').trim()];
      }),
  );

/** Makes docs/performance.md: a table of the machine, then a section for each measure. */
export const page = (
  machine: readonly (readonly [string, string])[],
  sections: readonly (readonly [title: string, body: string])[],
): string =>
  [
    '# Performance',
    INTRODUCTION,
    [line(['', '']), line(['---', '---']), ...machine.map(line)].join('\n'),
    ...sections.flatMap(([title, body]) => [`## ${title}`, body]),
  ]
    .join('\n\n')
    .concat('\n');
