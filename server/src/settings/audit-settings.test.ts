import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';

const failure = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('These settings were taken.');
};

describe('audit settings', () => {
  it('are optional, and read the parts of a syslog address', () => {
    expect(readConfig({}).audit).toEqual({ file: undefined, syslog: undefined, https: undefined });
    expect(readConfig({}).keepEventsDays).toBe(0);
    const of = (address: string) => readConfig({ SIGNALBOX_AUDIT_SYSLOG: address }).audit.syslog;
    expect(of('tcp://10.0.0.1:601')).toEqual({ host: '10.0.0.1', port: 601, tls: false, ca: undefined });
    expect(of('tls://[::1]:6514')).toMatchObject({ host: '::1', port: 6514, tls: true });
    const posts = { SIGNALBOX_AUDIT_URL: 'https://logs.example.org/x', SIGNALBOX_AUDIT_TOKEN: 'abc' };
    expect(readConfig(posts).audit.https).toEqual({ url: 'https://logs.example.org/x', token: 'abc', ca: undefined });
  });

  it('reject invalid values and combinations', () => {
    for (const [name, value] of [
      ['SIGNALBOX_AUDIT_FILE', 'audit.ndjson'],
      ['SIGNALBOX_AUDIT_SYSLOG', 'udp://10.0.0.1:514'],
      ['SIGNALBOX_AUDIT_SYSLOG', 'tcp://10.0.0.1'],
      ['SIGNALBOX_AUDIT_SYSLOG', '10.0.0.1:514'],
      ['SIGNALBOX_AUDIT_URL', 'http://logs.example.org'],
      ['SIGNALBOX_AUDIT_TOKEN', 'with a blank'],
      ['SIGNALBOX_AUDIT_CA', '/nowhere/ca.pem'],
      ['SIGNALBOX_KEEP_EVENTS_DAYS', '-1'],
    ] as const)
      expect(failure({ [name]: value }), value).toContain(`${name}: `);
    expect(failure({ SIGNALBOX_AUDIT_TOKEN: 'abc' })).toContain('SIGNALBOX_AUDIT_URL: is required');
  });
});
