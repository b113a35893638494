import type { Locale } from '@/i18n/routing';
import type { NoticeKind } from '@/lib/contract/words/notice';

/** The content of a notice, whichever way it goes. Times in ms, money in minor units. */
export type Notice = {
  /**
   * Notices with the same key are the same: the shop shows the notice once, and a mail sent twice carries the same
   * identity.
   */
  key: string;
  kind: NoticeKind;
  userId: string;
  email: string;
  /** Language of the mail. In the shop the notice is shown in the language of the page. */
  locale: Locale;
  /** The zone of the times in the mail, as the IANA database names it; null: UTC. */
  timeZone: string | null;
  /** Topics of mails that are not sent to them. In the shop the notice is shown all the same. */
  mutedMails: readonly string[];
  /** The parcel has no address yet: the mail asks for it. */
  lacksAddress: boolean;
  /** Where a draw was lost, the number that the order would have had. */
  orderNo: string;
  saleSlug: string;
  /** With the name of the variant where the sale has some. */
  saleTitle: string;
  amountMinor: number;
  currency: string;
  payBy: number;
};

/** The parts of a mail, of which both its forms are made. */
export type MailParts = {
  locale: Locale;
  subject: string;
  paragraphs: readonly string[];
  /** Its one button; below it stands the address. */
  link?: { url: string; label: string };
  /** The end, in small letters. */
  note?: string;
  /** Where its reader stops such mails, if they can be stopped. */
  stop?: StopLinks;
};

/** `page` is for people, `oneClick` for mail programs (RFC 8058). */
export type StopLinks = { page: string; oneClick: string };
