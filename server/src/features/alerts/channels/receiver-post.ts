import type { ReceiverKind } from '@signalbox/contract';
import type { ReceiverAddress } from '../../../secrets/receiver-secret.ts';
import type { AddressPolicy } from './address-policy.ts';
import { post } from './http-post.ts';
import { type BodyNeeds, bodyFor } from './receiver-body.ts';
import { signatureOf } from './signature.ts';

/**
 * Posts to a receiver of a project; to a `webhook` with the id of the message, and signed if it has a secret.
 * @throws SendFault
 */
export const postToReceiver = async (
  kind: ReceiverKind,
  { url, secret }: ReceiverAddress,
  needs: BodyNeeds,
  { policy, now, signal }: { readonly policy: AddressPolicy; readonly now: Date; readonly signal: AbortSignal },
): Promise<void> => {
  const body = bodyFor(kind, needs);
  const timestamp = Math.floor(now.getTime() / 1000);
  const headers: Record<string, string> =
    kind === 'webhook'
      ? {
          'x-signalbox-delivery': needs.messageId,
          'x-signalbox-timestamp': String(timestamp),
          ...(secret === '' ? {} : { 'x-signalbox-signature': signatureOf(secret, timestamp, body) }),
        }
      : {};
  await post({ url, body, headers, policy, signal });
};
