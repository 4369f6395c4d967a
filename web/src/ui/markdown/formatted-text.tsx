import Formatted from 'markdown-to-jsx/react';
import { type AnchorHTMLAttributes, createElement, type ReactNode } from 'react';

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

/** The attributes that elements of a text get. The parser would also copy those that a user writes behind a code fence. */
const KEPT: ReadonlySet<string> = new Set(['key', 'href', 'alt', 'start', 'type', 'checked', 'readOnly']);

type Properties = Readonly<Record<string, unknown>>;

/** Creates an element of a text with the attributes that are kept, and the alignment of a cell. */
const createKept = (type: React.ElementType, properties: Properties | null, ...children: readonly ReactNode[]) => {
  const kept = Object.entries(properties ?? {}).filter(
    ([name, value]) => KEPT.has(name) || (name === 'style' && typeof value === 'object'),
  );
  return createElement(type, Object.fromEntries(kept), ...children);
};

const OPTIONS = {
  disableParsingRawHTML: true,
  forceBlock: true,
  createElement: createKept as typeof createElement,
  overrides: {
    a: Anchor,
    img: PictureText,
    ...{ h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading },
  },
} as const;

/** Markdown as elements of the page. */
export const FormattedText = ({ text }: { text: string }) => <Formatted options={OPTIONS}>{text}</Formatted>;
