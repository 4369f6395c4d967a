import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { endSession } from '../../api/session.ts';
import { useLiveSocket } from '../../live/live.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';

/**
 * Signs out. Stops the live connection and all requests first: the server closes the connection before it responds, and
 * any request in between would report an unexpectedly ended session.
 */
export const useSignOut = () => {
  const socket = useLiveSocket();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      socket.stop();
      await client.cancelQueries();
      await call('signOut');
    },
    onSuccess: () => endSession('left'),
    onError: (error) => {
      // When the connection is open again, skipped requests are made.
      socket.start();
      showToast('error', errorText(error));
    },
  });
};
