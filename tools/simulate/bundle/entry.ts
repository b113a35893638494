/** Exports what a simulated process can do: the product's own composition, unchanged. */
export { allFunctions } from '@/inngest/functions';
export { sendEvent } from '@/inngest/send-event';
export { changeOrderPrice } from '@/lib/admin/orders/change-order-price';
export { refundOrder } from '@/lib/admin/orders/refund-order';
export { reconcileSale } from '@/lib/admin/reconcile/reconcile-sale';
export { buryEntry } from '@/lib/checkout/order/bury-entry';
export { cancelOrder } from '@/lib/checkout/order/cancel-order';
export { applyPaymentEvent } from '@/lib/checkout/payment/apply-payment-event';
export { askLatePayments } from '@/lib/checkout/payment/ask-provider';
export { payOrder } from '@/lib/checkout/payment/pay-order';
export { purchase } from '@/lib/checkout/purchase/purchase';
export { guardStock } from '@/lib/checkout/recovery/guard-stock';
export { whichWritten } from '@/lib/order/which-written';
export { relayOrders } from '@/lib/outbox/relay-orders';
export { runMessageRelay } from '@/lib/outbox/run-message-relay';
