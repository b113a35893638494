import { expect, it } from 'vitest';
import { readReturned } from './read-returned';
import { complaintAbout, noSuchUser, returnedMail } from './testing/returned-mail';

const EMAIL = 'ada@example.com';
const HEAD = [
  'Received: from shop by mx.example.net; Sun, 29 Nov 2026 10:00:00 +0000',
  'From: Seckill <no-reply@shop.example.com>',
  `To: ${EMAIL}`,
  'Message-ID: <replaced-by-the-relay@relay.example.net>',
  'X-Recipient-Proof: proof',
].join('\r\n');
const MAIL = `${HEAD}\r\n\r\nHello: this is no header.\r\nTo: other@example.com\r\n`;

const read = (text: string) => readReturned(Buffer.from(text));
const status = (text: string, original = MAIL) => read(returnedMail({ report: text, original }));
const failed = (fields: string) => `Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; ${EMAIL}\n${fields}`;

it('[O7] reads that nobody gets mail at an address, and to whom our mail went', async () => {
  expect(await status(noSuchUser(EMAIL))).toEqual({
    says: 'refused',
    recipients: [EMAIL],
    proof: 'proof',
  });
});

it.each([
  ['a status that says nothing', 'Action: failed\nStatus: 5.0.0'],
  ['a status in the answer alone', 'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550-5.1.1 gone'],
  ['other spelling', 'ACTION: Failed\nSTATUS: 5.1.10 (RESOLVER.ADR.RecipientNotFound)'],
  [
    'an address of numbers in the answer',
    'Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 195.5.7.1 said no',
  ],
  ['a domain without a server', 'Action: failed\nStatus: 5.4.4'],
])('[O7] reads it with %s', async (_, fields) => {
  expect(await status(failed(fields))).toMatchObject({ says: 'refused' });
});

it.each([
  ['is late', 'Action: delayed\nStatus: 4.4.1'],
  ['was given up after days', 'Action: failed\nStatus: 4.4.7'],
  ['arrived', 'Action: delivered\nStatus: 2.0.0'],
  ['met a full mailbox', 'Action: failed\nStatus: 5.2.2'],
  ['was too large', 'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 552 5.3.4 too big'],
  [
    'was taken for spam',
    'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp;\n 550-5.7.26 not authenticated',
  ],
  ['has content that is refused', 'Action: failed\nStatus: 5.6.0'],
])('[O7] blames no address if a mail %s', async (_, fields) => {
  expect(await status(failed(fields))).toBeNull();
});

it.each(['text/rfc822-headers', 'message/global', 'message/global-headers'])(
  '[O7] finds our header in %s, folded or not',
  async (original) => {
    const head = HEAD.replace('Proof: ', 'Proof:\r\n\t');
    const text = returnedMail({ report: noSuchUser(EMAIL), original: head, types: { original } });
    expect(await read(text)).toMatchObject({ says: 'refused', proof: 'proof', recipients: [EMAIL] });
  },
);

it('[O7] reads of both addresses if the mail was passed on', async () => {
  const report = noSuchUser('ada@elsewhere.example.org');
  expect((await status(report))?.recipients).toEqual([EMAIL, 'ada@elsewhere.example.org']);
});

it('[O7] reads a complaint of a reader, no report about signatures and none that takes one back', async () => {
  const complaint = (type: string, email = EMAIL) =>
    read(
      returnedMail({
        report: complaintAbout(email, type),
        original: HEAD,
        types: { report: 'message/feedback-report', original: 'text/rfc822-headers' },
      }),
    );
  expect(await complaint('abuse')).toMatchObject({ says: 'complaint', recipients: [EMAIL], proof: 'proof' });
  expect(await complaint('Opt-Out')).toMatchObject({ says: 'complaint' });
  expect(await complaint('auth-failure')).toBeNull();
  expect(await complaint('not-spam')).toBeNull();
});

it('[O7] ignores what is no report about a mail of ours', async () => {
  expect(await status(noSuchUser(EMAIL), MAIL.replace('X-Recipient-Proof: proof\r\n', ''))).toBeNull();
  expect(await read('')).toBeNull();
  expect(await read('\0\0\xff')).toBeNull();
  expect(await read(MAIL)).toBeNull();
  expect(await read(`Subject: Away until Monday\r\n\r\n${noSuchUser(EMAIL)}\r\n\r\n${MAIL}`)).toBeNull();
});

it('[O7] does not read mails that take long: too many lines, parts in parts, or fields', async () => {
  const report = noSuchUser(EMAIL);
  expect(await status(`${report}${'\n'.repeat(4_900)}`)).toMatchObject({ says: 'refused' });
  expect(await status(`${report}${'\n'.repeat(5_000)}`)).toBeNull();
  const inParts = (depth: number): string =>
    depth === 0
      ? returnedMail({ report, original: MAIL })
      : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${inParts(depth - 1)}\r\n--b${depth}--`;
  expect(await read(inParts(6))).toMatchObject({ says: 'refused' });
  expect(await read(inParts(9))).toBeNull();
  expect(await read(`X: ${'a'.repeat(40_000)}\r\n${returnedMail({ report, original: MAIL })}`)).toBeNull();
  const long = 'a'.repeat(200_000);
  expect(await status(`${report}\nFinal-Recipient: ${long}`, `${HEAD}\r\nTo: ${long}`)).toMatchObject({
    says: 'refused',
    recipients: [EMAIL],
  });
});
