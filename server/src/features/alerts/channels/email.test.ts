import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refusal, startMailServer } from '../../../testing/mail-server.ts';
import { type SmtpSettings, sendMail } from './email.ts';

const MAIL = {
  to: 'ana@example.org',
  subject: 'Über\r\nBcc: eve@example.org',
  text: 'Grüße\n.\nend',
  messageId: 'id-1',
};
const never = new AbortController().signal;

const certificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'].concat([
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ]),
    { stdio: 'ignore' },
  );
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
};

const settings = (port: number, more: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  user: undefined,
  password: undefined,
  from: 'Signalbox <box@example.org>',
  ca: undefined,
  ...more,
});

const outcome = async (sending: Promise<void>): Promise<string> => {
  try {
    await sending;
  } catch (error) {
    return (error as Error).message;
  }
  return 'sent';
};

describe('a mail', () => {
  it('shows a subject with the syntax of encoded text unchanged', async () => {
    const server = await startMailServer();
    await sendMail(settings(server.port), { ...MAIL, subject: '[Shop] =?utf-8?B?SGFjaw==?= failed' }, never);
    expect(server.mails[0]?.headers.subject?.replaceAll('\u200b', '')).toBe('[Shop] =?utf-8?B?SGFjaw==?= failed');
  });

  it('arrives unchanged, at its recipient only', async () => {
    const server = await startMailServer();
    await sendMail(settings(server.port), MAIL, never);
    expect(server.mails[0]).toMatchObject({ to: ['ana@example.org'], from: 'box@example.org' });
    expect(server.mails[0]?.headers.subject).toBe('Über Bcc: eve@example.org');
    expect(server.mails[0]?.headers.bcc).toBeUndefined();
    expect(server.mails[0]?.headers['message-id']).toBe('<id-1@example.org>');
    expect(server.mails[0]?.text.replaceAll('\r\n', '\n').trimEnd()).toBe('Grüße\n.\nend');
  });

  it.each(['tls', 'starttls'] as const)('is sent by %s only when the certificate is trusted', async (security) => {
    const { key, cert } = certificate();
    const server = await startMailServer({
      key,
      cert,
      secure: security === 'tls',
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        password === 'right' ? done(null, { user: username ?? '' }) : done(new Error('wrong')),
    });
    const sign = { security, user: 'box', password: 'right' } as const;
    expect(await outcome(sendMail(settings(server.port, sign), MAIL, never))).toMatch(/^not_trusted/);
    expect(server.mails).toEqual([]);
    await sendMail(settings(server.port, { ...sign, ca: cert }), MAIL, never);
    expect(server.mails[0]).toMatchObject({ isSecure: true, user: 'box' });
    // An administrator must correct a wrong password, so the messages wait.
    const wrong = settings(server.port, { ...sign, ca: cert, password: 'wrong' });
    expect(await outcome(sendMail(wrong, MAIL, never))).toBe('failed 535');
  });

  it('is not sent unencrypted when the settings require STARTTLS', async () => {
    const server = await startMailServer();
    expect(await outcome(sendMail(settings(server.port, { security: 'starttls' }), MAIL, never))).not.toBe('sent');
    expect(server.mails).toEqual([]);
  });

  it('distinguishes permanent refusals from temporary ones', async () => {
    const server = await startMailServer({}, (_, index) => refusal(index === 0 ? 451 : 552));
    expect(await outcome(sendMail(settings(server.port), MAIL, never))).toBe('failed 451');
    expect(await outcome(sendMail(settings(server.port), MAIL, never))).toBe('refused 552');
  });

  it('is cut off when the mail server does not answer', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    const { promise, resolve } = Promise.withResolvers<void>();
    silent.listen(0, '127.0.0.1', resolve);
    await promise;
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as { port: number };
    expect(await outcome(sendMail(settings(port), MAIL, AbortSignal.timeout(300)))).toBe('timed_out');
  });
});
