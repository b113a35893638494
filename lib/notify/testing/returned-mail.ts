/** A report about a mail, as mail servers write it. */
type Report = {
  /** The machine-readable part. */
  report: string;
  /** The mail that comes back, or its head alone. */
  original: string;
  types?: { report?: string; original?: string };
};

/** For tests: builds the mail that comes back, a `multipart/report` (RFC 6522). */
export function returnedMail({ report, original, types = {} }: Report): string {
  const { report: reportType = 'message/delivery-status', original: originalType = 'message/rfc822' } = types;
  const kind = reportType.split('/')[1]?.replace('global-', '');
  const lines = [
    'From: MAILER-DAEMON@mx.example.net (Mail Delivery System)',
    'To: no-reply@shop.example.com',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${kind};`,
    '\tboundary="4fQz/mx.example.net"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4fQz/mx.example.net',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you that your message could not be delivered.',
    '',
    '--4fQz/mx.example.net',
    `Content-Type: ${reportType}`,
    '',
    ...report.split('\n'),
    '',
    '--4fQz/mx.example.net',
    'Content-Description: Undelivered Message',
    `Content-Type: ${originalType}`,
    '',
    original,
    '',
    '--4fQz/mx.example.net--',
    '',
  ];
  return lines.join('\r\n');
}

/** The report of a server that knows no such user. */
export const noSuchUser = (email: string): string => `Reporting-MTA: dns; mx.example.net
Arrival-Date: Sun, 29 Nov 2026 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; ${email}
Original-Recipient: rfc822;${email}
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.org
Diagnostic-Code: smtp; 550 5.1.1 <${email}>: Recipient address rejected:
    User unknown in virtual mailbox table`;

/** The report of a reader who calls a mail spam. */
export const complaintAbout = (email: string, type = 'abuse'): string => `Feedback-Type: ${type}
User-Agent: Example-FBL/1.0
Version: 1
Original-Rcpt-To: <${email}>`;
