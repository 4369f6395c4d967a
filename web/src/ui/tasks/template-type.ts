import type { TemplateType } from '@signalbox/contract';
import type { IconName } from '../basics/icon.tsx';

/** Icons and catalogue keys of a template type and its action. */
export interface TypeLook {
  readonly icon: IconName;
  readonly actionIcon: IconName;
  readonly word: string;
  readonly action: string;
}

const LOOKS: Readonly<Record<TemplateType, TypeLook>> = {
  '': { icon: 'task', actionIcon: 'play', word: 'type.task', action: 'type.run' },
  build: { icon: 'build', actionIcon: 'build', word: 'type.build', action: 'type.toBuild' },
  deploy: { icon: 'deploy', actionIcon: 'deploy', word: 'type.deploy', action: 'type.toDeploy' },
};

export const typeLook = (type: TemplateType): TypeLook => LOOKS[type];
