import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { Appearance } from '../ui/theme/appearance.tsx';
import { Toast } from '../ui/toast/toast.tsx';
import { Tooltip } from '../ui/tooltip/tooltip.tsx';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { watchSession } from './session-watch.ts';

/** The root component of the page. */
const start = () => {
  const client = createQueryClient();
  const router = createAppRouter(client);
  watchSession(router, client);
  return { client, router };
};

export const App = () => {
  const [{ client, router }] = useState(start);
  return (
    <Appearance>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Toast />
      <Tooltip />
    </Appearance>
  );
};
