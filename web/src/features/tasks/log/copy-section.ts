import { numberText } from '../../../lang/locale.ts';
import { translate } from '../../../lang/translate.ts';
import { copyText } from '../../../ui/toast/copy-text.ts';
import { plainText } from './ansi.ts';
import type { Section } from './log-layout.ts';
import type { LogSource } from './log-source.ts';

/** Maximum lines that are copied. */
const MOST = 20_000;

/** The last line of a play or a step. */
const lastLine = (sections: readonly Section[], at: number, total: number): number => {
  const { kind } = sections[at] ?? {};
  const next = sections.slice(at + 1).find((section) => kind === 'step' || section.kind === 'play');
  return next ? next.line - 1 : total;
};

/** Copies the lines of a play or a step, without colours. */
export const copySection = async (
  source: Pick<LogSource, 'state' | 'texts'>,
  sections: readonly Section[],
  id: string,
): Promise<void> => {
  const at = sections.findIndex((section) => section.id === id);
  const from = sections[at]?.line;
  if (from === undefined) return;
  const last = lastLine(sections, at, source.state.total);
  const to = Math.min(last, from + MOST - 1);
  const text = source.texts(from, to).then((texts) => `${texts.map(plainText).join('\n').trimEnd()}\n`);
  await (to < last ? copyText(text, translate('log.copiedFirst', { number: numberText(MOST) })) : copyText(text));
};
