/** What a simulated process can be asked to do: the product's own composition, as it is. */
export { allFunctions } from '@/inngest/functions';
export { sendEvent } from '@/inngest/send-event';
export { applyPaymentEvent } from '@/lib/checkout/apply-payment-event';
export { askLatePayments } from '@/lib/checkout/ask-provider';
export { buryEntry } from '@/lib/checkout/bury-entry';
export { cancelOrder } from '@/lib/checkout/cancel-order';
export { guardStock } from '@/lib/checkout/guard-stock';
export { payOrder } from '@/lib/checkout/pay-order';
export { purchase } from '@/lib/checkout/purchase';
export { changeOrderPrice } from '@/lib/desk/change-order-price';
export { reconcileSale } from '@/lib/desk/reconcile/reconcile-sale';
export { refundOrder } from '@/lib/desk/refund-order';
export { relayOrders } from '@/lib/outbox/relay-orders';
export { runMessageRelay } from '@/lib/outbox/run-message-relay';
