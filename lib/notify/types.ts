import type { Locale } from '@/i18n/routing';
import type { OrderNoticeKind, SaleNoticeKind } from '@/lib/contract/words/notice';

type Addressed = {
  /**
   * Notices with the same key are the same: the shop shows the notice once, and a mail sent twice carries the same
   * identity.
   */
  key: string;
  userId: string;
  email: string;
  /** Language of the mail. In the shop the notice is shown in the language of the page. */
  locale: Locale;
  saleTitle: string;
};

/** The content of a notice about an order, whichever way it goes. Times in ms, money in minor units. */
export type Notice = Addressed & {
  kind: OrderNoticeKind;
  orderNo: string;
  amountMinor: number;
  currency: string;
  payBy: number;
};

/** The content of a mail about a sale in which somebody waits. */
export type SaleNotice = Addressed & {
  kind: SaleNoticeKind;
  saleSlug: string;
  /** In line for units that come back, from 1; null: no longer. */
  place: number | null;
};

/** What a mail says, before it is put into plain text and HTML. Nothing in it is markup. */
export type MailText = {
  locale: Locale;
  subject: string;
  /** An empty line begins a paragraph. */
  text: string;
  link?: MailLink;
  /** What else to know, for example what to do if it was not you. */
  note?: string;
  stop?: StopLinks;
};

/** What to do next. `label`: of the button; `line`: names it in small letters, with the address in it. */
export type MailLink = { url: string; label: string; line?: string };

/** Where a reader stops mails of this kind: a page for people, and an address for mail programs (RFC 8058). */
export type StopLinks = { page: string; oneClick: string };
