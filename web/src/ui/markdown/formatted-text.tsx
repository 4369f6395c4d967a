import Formatted from 'markdown-to-jsx/react';
import type { AnchorHTMLAttributes } from 'react';

/** A link to a web page. Other addresses could start programs of the reader. */
const Anchor = ({ children, href = '' }: AnchorHTMLAttributes<HTMLAnchorElement>) =>
  /^https?:\/\//i.test(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    children
  );

/** A picture would be requested from the address that a user wrote. */
const PictureText = ({ alt }: { alt?: string }) => <>{alt}</>;

const Heading = ({ children }: { children?: React.ReactNode }) => (
  <p>
    <strong>{children}</strong>
  </p>
);

const OPTIONS = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: {
    a: Anchor,
    img: PictureText,
    ...{ h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading },
  },
} as const;

/** Markdown as elements of the page. */
export const FormattedText = ({ text }: { text: string }) => <Formatted options={OPTIONS}>{text}</Formatted>;
