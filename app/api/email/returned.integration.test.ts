import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { signLink } from '@/lib/account/link-signature';
import { MAX_RETURNED_BYTES } from '@/lib/contract/shapes/mail';
import { MAIL_TOPICS } from '@/lib/contract/words/mail';
import { closeDb, db } from '@/lib/db/client';
import { closeMail, sendMail } from '@/lib/notify/send-mail';
import { noticeOf } from '@/lib/notify/testing/notice';
import { complaintAbout, noSuchUser, returnedMail } from '@/lib/notify/testing/returned-mail';
import { type SmtpServer, startSmtpServer } from '@/lib/notify/testing/smtp-server';
import { makeUser } from '@/test/support/make-sale';
import { POST } from './returned/route';

/** Takes every mail, as relays do. */
let relay: SmtpServer;
beforeAll(async () => {
  relay = await startSmtpServer();
  process.env.SMTP_URL = relay.url;
});
afterAll(async () => {
  closeMail();
  await relay.stop();
  await closeDb();
});

let userId: string;
let email: string;
let other: string;
/** Our mail, as the relay took it. */
let original: string;
beforeEach(async () => {
  ({ userId } = await makeUser());
  ({ userId: other } = await makeUser());
  email = `${userId}@example.com`;
  await send();
  original = relay.mails.at(-1) ?? '';
});

const send = () =>
  sendMail({ ...noticeOf({ saleTitle: 'Lamp' }), key: `order_paid-${userId}`, userId, email });
const stand = async (id: string) => {
  const select = { mailRefusedAt: true, mutedMails: true };
  return db().user.findUniqueOrThrow({ where: { id }, select });
};
const NOTHING = { mailRefusedAt: null, mutedMails: [] };
const REFUSED = { mailRefusedAt: expect.any(Date), mutedMails: [] };

async function post(body: string) {
  const request = new Request('http://shop.test/api/email/returned', { method: 'POST', body });
  const response = await POST(request, { params: Promise.resolve({}) });
  return { status: response.status, body: await response.json() };
}
const comesBack = () => post(returnedMail({ report: noSuchUser(email), original }));

it('[O7] marks the account of a mail that a relay sends back, however often it does, and no other', async () => {
  expect(await stand(userId)).toEqual(NOTHING);
  expect(await comesBack()).toEqual({ status: 200, body: { outcome: 'refused' } });
  const marked = await stand(userId);
  expect(marked).toEqual(REFUSED);
  expect(await comesBack()).toEqual({ status: 200, body: { outcome: 'refused' } });
  expect(await stand(userId)).toEqual(marked);
  expect(await stand(other)).toEqual(NOTHING);
});

it('[O7] keeps the mark though the relay takes the next mail; one that it takes a day later ends it', async () => {
  await comesBack();
  const { mailRefusedAt } = await stand(userId);
  await send();
  expect(await stand(userId)).toEqual({ ...NOTHING, mailRefusedAt });
  const data = { mailRefusedAt: new Date(Number(mailRefusedAt) - 25 * 3_600_000) };
  await db().user.update({ where: { id: userId }, data });
  await send();
  expect(await stand(userId)).toEqual(NOTHING);
});

it('[O7] mutes what can be muted for a reader who calls a mail spam, and for no other', async () => {
  const types = { report: 'message/feedback-report', original: 'text/rfc822-headers' };
  const head = original.slice(0, original.indexOf('\r\n\r\n'));
  const complaint = returnedMail({ report: complaintAbout(email), original: head, types });
  for (let time = 0; time < 2; time += 1) {
    expect(await post(complaint)).toEqual({ status: 200, body: { outcome: 'complaint' } });
    expect(await stand(userId)).toEqual({ mailRefusedAt: null, mutedMails: [...MAIL_TOPICS] });
  }
  expect(await stand(other)).toEqual(NOTHING);
});

it("[O7] believes no report about another's mail, nor one that nobody had from us", async () => {
  const forged = (report: string, mail: string) => post(returnedMail({ report, original: mail }));
  const stranger = `${other}@example.com`;
  const proof = /^X-Recipient-Proof: (.{43})\r$/m.exec(original)?.[1] ?? '';
  for (const [about, mail] of [
    [stranger, original.replace(/^To: .*$/m, `To: ${stranger}`)],
    [email, original.replace(proof, signLink('stop mails', email))],
    [email, original.replace(proof, proof.slice(1))],
    [email, original.replace(/^X-Recipient-Proof: .*\r\n/m, '')],
  ] as const) {
    expect(await forged(noSuchUser(about), mail)).toEqual({ status: 200, body: { outcome: 'ignored' } });
  }
  expect(await stand(userId)).toEqual(NOTHING);
  expect(await stand(other)).toEqual(NOTHING);
});

it('[O7] ignores other mails, and refuses those that no report is as large as', async () => {
  for (const body of ['', 'Subject: Away\r\n\r\nuntil Monday', '{"json":true}', '\0', original]) {
    expect(await post(body)).toEqual({ status: 200, body: { outcome: 'ignored' } });
  }
  const large = await post(`${original}${'a'.repeat(MAX_RETURNED_BYTES)}`);
  expect(large).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } });
});
