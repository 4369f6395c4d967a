import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'signalbox-alerts-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

const failure = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('These settings were taken.');
};

const MAIL = { SIGNALBOX_SMTP_HOST: 'mail.example.org', SIGNALBOX_SMTP_FROM: 'Signalbox <box@example.org>' };

describe('alert settings', () => {
  it('are optional: without them no mail is sent, and posts may go to the public internet and private networks', () => {
    expect(readConfig({}).alerts).toEqual({
      smtp: undefined,
      telegram: undefined,
      networks: ['uniquelocal'],
      keepDays: 30,
    });
  });

  it('default to STARTTLS and the usual port for each kind of encryption', () => {
    expect(readConfig(MAIL).alerts.smtp).toMatchObject({ port: 587, security: 'starttls', user: undefined });
    const tls = { ...MAIL, SIGNALBOX_SMTP_SECURITY: 'tls' };
    expect(readConfig(tls).alerts.smtp).toMatchObject({ port: 465, security: 'tls' });
    expect(readConfig({ ...tls, SIGNALBOX_SMTP_PORT: '2465' }).alerts.smtp?.port).toBe(2465);
  });

  it('reject incomplete and invalid combinations', () => {
    expect(failure({ SIGNALBOX_SMTP_HOST: 'mail.example.org' })).toContain('SIGNALBOX_SMTP_FROM: is required');
    expect(failure({ ...MAIL, SIGNALBOX_SMTP_USER: 'box' })).toContain('SIGNALBOX_SMTP_PASSWORD: is required');
    for (const [name, value] of [
      ['SIGNALBOX_SMTP_FROM', 'nobody'],
      ['SIGNALBOX_SMTP_FROM', 'box@example.org\r\nBcc: eve@example.org'],
      ['SIGNALBOX_SMTP_SECURITY', 'ssl'],
      ['SIGNALBOX_SMTP_PORT', '0'],
      ['SIGNALBOX_SMTP_CA', 'relative.pem'],
      ['SIGNALBOX_SMTP_CA', '/nowhere/ca.pem'],
      ['SIGNALBOX_TELEGRAM_TOKEN', 'a/b'],
      ['SIGNALBOX_TELEGRAM_URL', 'ftp://x.example'],
      ['SIGNALBOX_ALERT_NETWORKS', 'office'],
      ['SIGNALBOX_KEEP_ALERTS_DAYS', '0'],
    ] as const)
      expect(failure({ ...MAIL, [name]: value }), value).toContain(`${name}: `);
  });

  it('read certificates from a file and networks from a list', () => {
    const [pem, file] = [join(folder(), 'ca.pem'), join(folder(), 'signalbox.yml')];
    writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n');
    expect(readConfig({ ...MAIL, SIGNALBOX_SMTP_CA: pem }).alerts.smtp?.ca).toContain('BEGIN CERTIFICATE');
    writeFileSync(pem, 'no certificate');
    expect(failure({ ...MAIL, SIGNALBOX_SMTP_CA: pem })).toContain('must be a file with PEM certificates');
    writeFileSync(
      file,
      'alert_networks: [loopback, 10.0.0.0/8]\ntelegram_token: "1:a"\ntelegram_url: http://127.0.0.1:9/\n',
    );
    expect(readConfig({ SIGNALBOX_CONFIG: file }).alerts).toMatchObject({
      networks: ['loopback', '10.0.0.0/8'],
      telegram: { token: '1:a', url: 'http://127.0.0.1:9' },
    });
    expect(readConfig({ SIGNALBOX_ALERT_NETWORKS: 'none' }).alerts.networks).toEqual([]);
  });
});
