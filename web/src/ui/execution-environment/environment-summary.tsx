import type { ExecutionEnvironment } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { environmentParts, kindText } from './environment-text.ts';

/** An execution environment in one line: its kind, and its image or its requirements. */
export const EnvironmentSummary = ({ environment }: { environment: ExecutionEnvironment }) => {
  const { t } = useTranslation();
  return (
    <>
      {kindText(t, environment.kind)}
      {environmentParts(environment).map((part) => (
        <code key={part}> {part}</code>
      ))}
    </>
  );
};
