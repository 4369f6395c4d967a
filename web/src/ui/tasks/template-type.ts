import type { TemplateType } from '@signalbox/contract';
import type { IconName } from '../basics/icon.tsx';

/** Icons and catalogue keys of a template type and its action. */
export interface TemplateTypeStyle {
  readonly icon: IconName;
  readonly actionIcon: IconName;
  readonly labelKey: string;
  readonly actionKey: string;
}

const STYLES: Readonly<Record<TemplateType, TemplateTypeStyle>> = {
  '': { icon: 'task', actionIcon: 'play', labelKey: 'type.task', actionKey: 'type.run' },
  build: { icon: 'build', actionIcon: 'build', labelKey: 'type.build', actionKey: 'type.toBuild' },
  deploy: { icon: 'deploy', actionIcon: 'deploy', labelKey: 'type.deploy', actionKey: 'type.toDeploy' },
};

export const templateTypeStyle = (type: TemplateType): TemplateTypeStyle => STYLES[type];
