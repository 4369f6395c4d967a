import { Suspense } from 'react';
import { lazyPart } from '../browser/lazy-part.ts';
import css from './markdown.module.css';

const FormattedText = lazyPart(() => import('./formatted-text.tsx'), 'FormattedText');

/** A text that a user wrote in Markdown. It shows no HTML and no pictures. */
export const Markdown = ({ text }: { text: string }) => (
  <div className={css.markdown}>
    <Suspense fallback={<p>{text}</p>}>
      <FormattedText text={text} />
    </Suspense>
  </div>
);
