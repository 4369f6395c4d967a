import type { AddressPolicy } from '../../../outgoing/address-policy.ts';
import type { MasterKey } from '../../../secrets/master-key.ts';
import { decryptReceiver, type ReceiverAddress } from '../../../secrets/receiver-secret.ts';
import type { Channel, Content, Recipients } from './channel.ts';
import { post } from './http-post.ts';
import { SendError } from './send-error.ts';

export interface ReceiverDeps {
  readonly master: MasterKey;
  readonly policy: AddressPolicy;
}

/** The JSON and the additional headers of a post. */
export interface ReceiverPost {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws SendError when the key that encrypted the address is missing, as after a restore without it */
const addressOf = (master: MasterKey, receiver: Recipients['receiver']): ReceiverAddress => {
  try {
    return decryptReceiver(master, receiver);
  } catch {
    throw new SendError('not_configured', 'ENCRYPTION_KEY');
  }
};

/** Creates a channel that posts JSON to web addresses of projects. */
export const receiverChannel = (
  { master, policy }: ReceiverDeps,
  format: (content: Content, address: ReceiverAddress) => ReceiverPost,
): Channel<'receiver'> => ({
  recipient: 'receiver',
  lane: 'web',
  isConfigured: true,
  describe: ({ id, name }) => ({ name, queue: `receiver:${id}` }),
  validate: (receiver) => void addressOf(master, receiver),
  deliver: async (receiver, content, signal) => {
    const address = addressOf(master, receiver);
    await post({ url: address.url, ...format(content, address), policy, signal });
  },
});
