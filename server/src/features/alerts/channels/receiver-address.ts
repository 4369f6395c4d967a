import type { MasterKey } from '../../../secrets/master-key.ts';
import { openReceiver, type ReceiverAddress } from '../../../secrets/receiver-secret.ts';
import { SendFault } from './send-fault.ts';

/**
 * Where a receiver is.
 * @throws SendFault when the key that sealed its address is not here, as after a restore without it
 */
export const addressOf = (
  master: MasterKey,
  receiver: { readonly id: number; readonly secret: string },
): ReceiverAddress => {
  try {
    return openReceiver(master, receiver);
  } catch {
    throw new SendFault('not_configured', 'ENCRYPTION_KEY');
  }
};
