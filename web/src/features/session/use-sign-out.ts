import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { endSession } from '../../api/session.ts';
import { useLiveSocket } from '../../live/live.tsx';
import { snack } from '../../ui/toast/toast-store.ts';

/**
 * Signs out. The page falls silent first: the server closes the live connection before it answers, and whatever the page
 * asked then would be told that the session has ended, as if that had not been the wish.
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
      // Once the connection stands again, all that was not asked for meanwhile is.
      socket.start();
      snack('error', errorText(error));
    },
  });
};
