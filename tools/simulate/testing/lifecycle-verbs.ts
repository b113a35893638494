import * as checks from '@/lib/admin/verify/check-orders';
import * as whereabouts from '@/lib/admin/verify/find-whereabouts';
import * as readOrders from '@/lib/admin/verify/read-orders';
import * as saleAccount from '@/lib/admin/verify/read-sale-account';
import * as database from '@/lib/db/client';
import * as cancel from '@/lib/order/cancel-order-row';
import * as expire from '@/lib/order/expire-orders';
import * as duplicate from '@/lib/order/find-duplicate';
import * as paidPayment from '@/lib/order/find-paid-payment';
import * as written from '@/lib/order/find-written';
import * as insert from '@/lib/order/insert-orders';
import * as priced from '@/lib/order/lock-priced';
import * as settled from '@/lib/order/mark-settled';
import * as opened from '@/lib/order/open-payment';
import * as atOnce from '@/lib/order/pay-at-once';
import * as pay from '@/lib/order/pay-order-row';
import * as batch from '@/lib/order/read-batch';
import * as failed from '@/lib/order/record-failed-order';
import * as refundRow from '@/lib/order/refund-row';
import * as revive from '@/lib/order/reopen-row';
import * as reprice from '@/lib/order/reprice-row';
import * as sell from '@/lib/order/sell-paid';
import * as buyers from '@/lib/order/stream-buyers';
import * as whichWritten from '@/lib/order/which-written';
import * as write from '@/lib/order/write-orders';
import * as processed from '@/lib/outbox/mark-processed';
import * as unreleased from '@/lib/outbox/unreleased-dead-letters';
import * as again from '@/lib/payment/ask-again';
import * as queries from '@/lib/payment/claim-queries';
import * as refund from '@/lib/payment/decide-refund';
import * as lock from '@/lib/payment/lock-payment';
import * as sentBack from '@/lib/payment/mark-sent-back';
import * as move from '@/lib/payment/move-payment';
import * as owe from '@/lib/payment/owe-back';
import * as ownBooks from '@/lib/payment/own-books';
import * as committed from '@/lib/sale/committed-stock';
import { calmModules } from './calm-modules';

/** For tests: the real versions of the simulated verbs, over the real Postgres. */
export const realVerbs = {
  ...database,
  ...checks,
  ...whereabouts,
  ...readOrders,
  ...saleAccount,
  ...cancel,
  ...expire,
  ...duplicate,
  ...sell,
  ...write,
  ...paidPayment,
  ...atOnce,
  ...written,
  ...whichWritten,
  ...insert,
  ...settled,
  ...pay,
  ...batch,
  ...failed,
  ...refundRow,
  ...revive,
  ...buyers,
  ...processed,
  ...unreleased,
  ...queries,
  ...refund,
  ...opened,
  ...move,
  ...lock,
  ...committed,
  ...again,
  ...owe,
  ...ownBooks,
  ...priced,
  ...reprice,
  ...sentBack,
};

export type LifecycleVerbs = typeof realVerbs;

/** Makes the same verbs over a simulated Postgres of their own, and returns that Postgres as well. */
export function simulatedVerbs() {
  const { world, modules } = calmModules();
  const { 'lib/order/record-event': _, ...others } = modules;
  return { verbs: Object.assign({}, ...Object.values(others)) as LifecycleVerbs, store: world.postgres };
}
