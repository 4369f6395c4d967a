import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { colourSchemeManager } from './colour-scheme.ts';
import { publishNonce, styleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './theme.ts';

const schemes = colourSchemeManager();

publishNonce();

/** Configures the component library with the theme of the product. */
export const Appearance = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    colorSchemeManager={schemes}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
  >
    {children}
  </MantineProvider>
);
