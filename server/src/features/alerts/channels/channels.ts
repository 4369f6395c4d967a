import type { AlertChannel, ReceiverKind } from '@signalbox/contract';
import type { Clock } from '../../../clock.ts';
import type { AddressPolicy } from '../../../outgoing/address-policy.ts';
import type { MasterKey } from '../../../secrets/master-key.ts';
import type { AnyChannel, Channel } from './channel.ts';
import { emailChannel, type SmtpSettings } from './email.ts';
import { mattermostChannel } from './mattermost.ts';
import { slackChannel } from './slack.ts';
import { teamsChannel } from './teams.ts';
import { type TelegramSettings, telegramChannel } from './telegram.ts';
import { webhookChannel } from './webhook.ts';

export interface ChannelDeps {
  /** Undefined when no mail server is configured. */
  readonly smtp: SmtpSettings | undefined;
  /** Undefined when no bot is configured. */
  readonly telegram: TelegramSettings | undefined;
  /** Addresses that receivers of projects may have. */
  readonly policy: AddressPolicy;
  readonly master: MasterKey;
  readonly clock: Pick<Clock, 'now'>;
}

/** Every channel by its name. A channel of the contract that is missing here does not compile. */
export type Channels = Readonly<Record<AlertChannel, AnyChannel> & Record<ReceiverKind, Channel<'receiver'>>> & {
  readonly email: Channel<'user'>;
  readonly telegram: Channel<'chat'>;
};

export const makeChannels = (deps: ChannelDeps): Channels => ({
  email: emailChannel(deps.smtp),
  telegram: telegramChannel(deps.telegram),
  slack: slackChannel(deps),
  teams: teamsChannel(deps),
  mattermost: mattermostChannel(deps),
  webhook: webhookChannel(deps),
});
