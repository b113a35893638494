import { afterAll, beforeAll, expect, it } from 'vitest';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { closeMail, sendMail } from './send-mail';
import { type SmtpServer, startSmtpServer } from './testing/smtp-server';
import type { Notice } from './types';

let smtp: SmtpServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
  process.env.SMTP_URL = smtp.url;
});
afterAll(async () => {
  closeMail();
  await smtp.stop();
});

const NOTICE: Notice = {
  key: 'order_paid-1024',
  kind: 'order_paid',
  userId: 'user_1',
  email: 'ada@example.com',
  locale: 'en',
  orderNo: '1024',
  saleTitle: 'Lamp\r\nBcc: everybody@example.com',
  amountMinor: 4290,
  currency: 'EUR',
  timeZone: null,
  payBy: 0,
};

it('[I3] sends to the configured server; sent twice, it is the same mail; a title can not add headers', async () => {
  await sendMail(NOTICE);
  await sendMail(NOTICE);
  const [first = '', second = ''] = smtp.mails;
  const idOf = (mail: string) => /^Message-ID: (.+)$/m.exec(mail)?.[1];
  expect(idOf(first)).toMatch(/^<[0-9a-f]{32}@localhost>$/);
  expect(idOf(second)).toBe(idOf(first));
  const head = first.slice(0, first.indexOf('\r\n\r\n'));
  expect(head).toContain('To: ada@example.com');
  expect(head).toContain('Subject: Paid: Lamp Bcc: everybody@example.com');
  expect(head).not.toMatch(/^Bcc:/m);
  expect(first).toContain('/orders/1024');
});

it('[I3 J3 P12] a recipient that does not exist is the fault of the mail, a busy server is not', async () => {
  smtp.rcptAnswer = '550 no such user';
  const gone = await sendMail(NOTICE).catch((error: unknown) => error);
  expect(gone).toBeInstanceOf(MessageRefused);
  expect(String(gone)).toMatch(/ada@example\.com.*550/);
  smtp.rcptAnswer = '451 try later';
  const busy = await sendMail(NOTICE).catch((error: unknown) => error);
  expect(busy).toBeInstanceOf(Error);
  expect(busy).not.toBeInstanceOf(MessageRefused);
  smtp.rcptAnswer = '250 ok';
  await sendMail(NOTICE);
  expect(smtp.mails).toHaveLength(3);
});

it('[J3] a server that is away is the fault of the service', async () => {
  closeMail();
  await smtp.stop();
  const away = await sendMail(NOTICE).catch((error: unknown) => error);
  expect(away).toBeInstanceOf(Error);
  expect(away).not.toBeInstanceOf(MessageRefused);
});
