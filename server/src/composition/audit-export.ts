import { AuditExport } from '../audit/export/audit-export.ts';
import { toFile, toHttps, toSyslog } from '../audit/export/destinations.ts';
import { limitLines } from '../line-limit.ts';
import type { Foundation } from './foundation.ts';

/** Maximum log lines a minute about failed deliveries. */
const LINES = 3;

/** Wires the export of events to the destinations of the settings. */
export const composeAuditExport = ({
  config: { audit },
  clock,
  app,
  storage: { database },
}: Foundation): AuditExport => {
  const warn = limitLines(clock, LINES);
  return new AuditExport({
    database,
    clock,
    destinations: {
      ...(audit.file === undefined ? {} : { file: toFile(audit.file) }),
      ...(audit.syslog === undefined ? {} : { syslog: toSyslog(audit.syslog) }),
      ...(audit.https === undefined ? {} : { https: toHttps(audit.https) }),
    },
    onError: (destination, error) =>
      warn((more) =>
        app.log.error({ destination, err: error, ...more }, 'events could not be exported; it will be retried'),
      ),
  });
};
