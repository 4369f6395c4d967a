import type { ReceiverKind } from '@signalbox/contract';
import type {
  ApprovalAlertInput,
  Findings,
  ScheduleAlertInput,
  SilentAlertInput,
  TaskAlertInput,
} from '../alert-input.ts';
import type { AlertMessage } from '../alert-message.ts';

/** What the channels send to. */
export interface Recipients {
  /** A member of the project. */
  readonly user: { readonly id: number; readonly name: string; readonly email: string };
  /** The chat of the project. */
  readonly chat: { readonly projectId: number; readonly chat: string };
  /** A web address of the project; `secret` is the encrypted part of its row. */
  readonly receiver: {
    readonly id: number;
    readonly name: string;
    readonly kind: ReceiverKind;
    readonly secret: string;
  };
}

export type RecipientKind = keyof Recipients;

/** A message, and for an alert the values that it was made from. */
export interface Content {
  readonly message: AlertMessage;
  /** The same for every attempt, so that recipients can drop duplicates. */
  readonly messageId: string;
  /** When the task ended or was requested, or the schedule started none; for a test, when it was sent. */
  readonly at: string;
  /** Only for the end of a task. */
  readonly ended?: { readonly input: TaskAlertInput; readonly findings: Findings };
  /** Only for a schedule that started no task. */
  readonly notStarted?: ScheduleAlertInput;
  /** Only for a task that waits for an approval. */
  readonly pending?: ApprovalAlertInput;
  /** Only for a running task with silent hosts. */
  readonly silent?: SilentAlertInput;
}

/** How a recipient appears in the list of deliveries. */
export interface RecipientDescription {
  readonly name: string;
  /** Messages of a queue are sent one after the other. */
  readonly queue: string;
}

/** Channels of a lane share the maximum number of messages that are sent at the same time. */
export type Lane = 'mail' | 'chat' | 'web';

/** A way to deliver alerts. A new channel is a file with this interface and an entry in `makeChannels`. */
export interface Channel<K extends RecipientKind> {
  readonly recipient: K;
  readonly lane: Lane;
  /** Whether the settings of the server allow this channel. No alert is stored for a channel that is not configured. */
  readonly isConfigured: boolean;
  readonly describe: (recipient: Recipients[K]) => RecipientDescription;
  /** @throws SendError when the message could not be sent to this recipient, whatever its content */
  readonly validate: (recipient: Recipients[K]) => void;
  /** @throws SendError when the message was not delivered */
  readonly deliver: (recipient: Recipients[K], content: Content, signal: AbortSignal) => Promise<void>;
}

/** A channel with any kind of recipient. */
export type AnyChannel = { readonly [K in RecipientKind]: Channel<K> }[RecipientKind];
