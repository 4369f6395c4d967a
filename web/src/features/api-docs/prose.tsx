import { Fragment } from 'react';

/** A text of the document, with backticks as code and each line in its own paragraph. */
export const Prose = ({ text }: { text: string }) =>
  text.split('\n').map((line, number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their positions
    <Fragment key={number}>
      {number > 0 ? <br /> : null}
      {line.split('`').map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the same
        index % 2 === 1 ? <code key={index}>{part}</code> : part,
      )}
    </Fragment>
  ));
