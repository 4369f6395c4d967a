import type { HostRunOutcome } from '@signalbox/contract';
import type { StatusColour, StatusShape } from '../../../ui/tasks/status.ts';

interface OutcomeStyle {
  readonly colour: StatusColour;
  readonly shape: StatusShape;
  /** Catalogue key of its label. */
  readonly labelKey: string;
  /** Whether the label is grey, because it needs no attention. */
  readonly quiet: boolean;
}

/** Icon, colour and label of how a run ended on a host. A change is a success too. */
export const OUTCOMES: Readonly<Record<HostRunOutcome, OutcomeStyle>> = {
  ok: { colour: 'ok', shape: 'check', labelKey: 'status.success', quiet: true },
  changed: { colour: 'ok', shape: 'check', labelKey: 'status.success', quiet: true },
  failed: { colour: 'error', shape: 'cross', labelKey: 'status.error', quiet: false },
  unreachable: { colour: 'error', shape: 'slash', labelKey: 'summary.unreachableHosts', quiet: false },
  stopped: { colour: 'stop', shape: 'square', labelKey: 'hostPage.stopped', quiet: false },
};
