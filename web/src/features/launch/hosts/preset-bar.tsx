import { MAX_LIMIT } from 'virtual:routes';
import type { InventoryHosts, TemplateHosts } from '@signalbox/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import table from '../../../ui/lists/table.module.css';
import css from './host-picker.module.css';
import { hostPresets, OLD_DAYS, type Preset } from './host-presets.ts';

interface PresetBarProps {
  /** Undefined until the hosts are known. */
  inventory: InventoryHosts | undefined;
  runs: TemplateHosts | undefined;
  version: string | undefined;
  onChange: (pattern: string) => void;
}

/** Buttons that select a set of hosts with one click. */
export const PresetBar = ({ inventory, runs, version, onChange }: PresetBarProps) => {
  const { t } = useTranslation();
  const [opened] = useState(() => Date.now());
  const presets = useMemo(
    () => hostPresets(inventory?.hosts ?? [], runs, version, opened),
    [inventory, runs, version, opened],
  );
  const labelOf = ({ name }: Preset): string => {
    if (name === 'all') return t('launch.preset.all');
    if (name === 'failed') return t('launch.preset.failed');
    if (name === 'unreachable') return t('launch.preset.unreachable');
    if (name === 'old') return t('launch.preset.old', { count: OLD_DAYS });
    return t('launch.preset.otherVersion', { version });
  };
  return (
    <div className={css.presets}>
      <span>{t('launch.presets')}</span>
      {presets.map((preset) => {
        const pattern = preset.name === 'all' ? '' : preset.hosts.join(',');
        return (
          <button
            key={preset.name}
            type="button"
            className={css.preset}
            // A longer pattern would be refused.
            disabled={preset.hosts.length === 0 || pattern.length > MAX_LIMIT}
            onClick={() => onChange(pattern)}
          >
            {labelOf(preset)}{' '}
            <b>
              {inventory ? numberText(preset.hosts.length) : <span className={table.skeleton} style={{ width: 16 }} />}
            </b>
          </button>
        );
      })}
    </div>
  );
};
