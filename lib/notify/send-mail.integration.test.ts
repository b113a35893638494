import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIL_TOPICS } from '@/lib/contract/words/mail';
import { NOTICE_KINDS, type NoticeKind } from '@/lib/contract/words/notice';
import { closeDb, db } from '@/lib/db/client';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { makeUser } from '@/test/support/make-sale';
import { closeMail, sendMail } from './send-mail';
import { noticeOf } from './testing/notice';
import { type SmtpServer, startSmtpServer } from './testing/smtp-server';

let smtp: SmtpServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
  process.env.SMTP_URL = smtp.url;
});
afterAll(async () => {
  closeMail();
  await smtp.stop();
  await closeDb();
});

const NOTICE = noticeOf({ saleTitle: 'Lamp\r\nBcc: everybody@example.com' });

/** Reads quoted-printable (RFC 2045). */
const readable = (part: string): string =>
  Buffer.from(
    part
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

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

it('[O7] sends text and HTML as the two forms of one mail, the better one last, and says how it came about', async () => {
  await sendMail({ ...NOTICE, key: 'order_paid-1025', saleTitle: '<b>Lamp</b> 👩‍👩‍👧' });
  const mail = smtp.mails.at(-1) ?? '';
  const [, boundary = ''] = /^Content-Type: multipart\/alternative;\s+boundary="(.+)"/m.exec(mail) ?? [];
  const [head = '', text = '', html = ''] = mail.split(`--${boundary}`);
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(head).not.toMatch(/^List-/m);
  expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
  expect(readable(text)).toContain('for <b>Lamp</b> 👩‍👩‍👧. It is yours.');
  expect(html).toMatch(/^Content-Type: text\/html; charset=utf-8$/m);
  expect(readable(html)).toContain('for &lt;b&gt;Lamp&lt;/b&gt; 👩‍👩‍👧. It is yours.');
});

it('[O7] lets a mail program stop those mails that can be muted (RFC 8058), no others; sends none that is muted', async () => {
  const mutable: NoticeKind[] = ['order_received', 'payment_reminder', 'waitlist_given', 'not_drawn'];
  for (const kind of NOTICE_KINDS) {
    const isMutable = mutable.includes(kind);
    await sendMail({ ...NOTICE, key: `${kind}-1`, kind });
    const mail = smtp.mails.at(-1) ?? '';
    const head = mail.slice(0, mail.indexOf('\r\n\r\n')).replaceAll(/\r\n\s+/g, ' ');
    const url = /^List-Unsubscribe: <(.+)>$/m.exec(head)?.[1];
    expect(url !== undefined, kind).toBe(isMutable);
    expect(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m.test(head), kind).toBe(isMutable);
    expect(readable(mail).split('/stop-mails#user_1.'), kind).toHaveLength(isMutable ? 3 : 1);
    if (url) expect(new URL(url).pathname).toBe('/api/email/stop-mails');

    const before = smtp.mails.length;
    await sendMail({ ...NOTICE, key: `${kind}-2`, kind, mutedMails: MAIL_TOPICS });
    expect(smtp.mails.length - before, kind).toBe(isMutable ? 0 : 1);
  }
});

it('[I3 J3 P12] a recipient that does not exist is the fault of the mail, a busy server is not', async () => {
  const before = smtp.mails.length;
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
  expect(smtp.mails.length - before).toBe(1);
});

it('[I3 P1] a sender whom the server refuses is the fault of the shop: no mail is given up for it', async () => {
  for (const answer of ['530 5.7.57 client not authenticated', '553 5.1.8 sender domain unknown']) {
    smtp.fromAnswer = answer;
    const refused = await sendMail(NOTICE).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(refused).not.toBeInstanceOf(MessageRefused);
  }
  smtp.fromAnswer = '250 ok';
  await sendMail(NOTICE);
});

it('[O7] marks the account whose address a server refuses for good, no other, until it accepts a mail a day later', async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  const refusedAt = async ({ userId }: { userId: string }) =>
    (await db().user.findUniqueOrThrow({ where: { id: userId } })).mailRefusedAt;
  const send = ({ userId }: { userId: string }) =>
    sendMail({ ...NOTICE, userId, email: `${userId}@example.com` }).catch((error: unknown) => error);

  for (const rcptAnswer of [
    '451 4.7.1 greylisted',
    '550 5.7.1 your server is on a blocklist',
    '550-5.7.606 banned\r\n550 5.7.606 ask for help',
    '552 5.2.2 mailbox full',
  ]) {
    smtp.rcptAnswer = rcptAnswer;
    expect(await send(one)).toBeInstanceOf(Error);
    expect(await refusedAt(one), rcptAnswer).toBeNull();
  }
  smtp.rcptAnswer = '250 ok';
  smtp.dataAnswer = '554 5.6.0 this content is refused';
  expect(await send(one)).toBeInstanceOf(MessageRefused);
  expect(await refusedAt(one)).toBeNull();
  smtp.dataAnswer = '250 taken';

  smtp.rcptAnswer = '550 5.1.1 no such user';
  expect(await send(one)).toBeInstanceOf(MessageRefused);
  const first = await refusedAt(one);
  expect(first).toBeInstanceOf(Date);
  expect(await send(one)).toBeInstanceOf(MessageRefused);
  expect(await refusedAt(one)).toEqual(first);
  expect(await refusedAt(other)).toBeNull();

  smtp.rcptAnswer = '250 ok';
  await send(other);
  expect(await refusedAt(one)).toEqual(first);
  await send(one);
  expect(await refusedAt(one)).toEqual(first);
  const data = { mailRefusedAt: new Date(Number(first) - 25 * 3_600_000) };
  await db().user.update({ where: { id: one.userId }, data });
  await send(one);
  expect(await refusedAt(one)).toBeNull();
});

it('[J3] a server that is away is the fault of the service', async () => {
  closeMail();
  await smtp.stop();
  const away = await sendMail(NOTICE).catch((error: unknown) => error);
  expect(away).toBeInstanceOf(Error);
  expect(away).not.toBeInstanceOf(MessageRefused);
});
