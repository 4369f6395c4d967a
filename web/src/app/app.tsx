import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { colourSchemeManager } from '../ui/colour-scheme.ts';
import { Snackbar } from '../ui/snackbar.tsx';
import { publishNonce, styleNonce } from '../ui/style-nonce.ts';
import { cssVariables, theme } from '../ui/theme.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { watchSession } from './session-watch.ts';

const schemes = colourSchemeManager();

/** Everything the page is made of, composed once. */
const start = () => {
  publishNonce();
  const client = createQueryClient();
  const router = createAppRouter(client);
  watchSession(router, client);
  return { client, router };
};

export const App = () => {
  const [{ client, router }] = useState(start);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Snackbar />
      </QueryClientProvider>
    </MantineProvider>
  );
};
