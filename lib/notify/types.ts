import type { Locale } from '@/i18n/routing';
import type { NoticeKind } from '@/lib/contract/words/notice';

/** What a notice says, whichever way it goes. Times in ms, money in minor units. */
export type Notice = {
  /** Same key, same notice: it is shown once, and a mail that is sent twice says that it is the same. */
  key: string;
  kind: NoticeKind;
  userId: string;
  email: string;
  /** Of the mail; what is shown in the shop is in the language of the page. */
  locale: Locale;
  orderNo: string;
  saleTitle: string;
  amountMinor: number;
  currency: string;
  payBy: number;
};
