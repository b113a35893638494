import 'server-only';
import type { PaymentEmbed } from '@mollie/api-client';
import { reachMollie } from './reach-mollie';
import type { Payment } from './state-of';

/** A value of the SDK's list, which loads only when Mollie is asked. */
const REFUNDS = 'refunds' as PaymentEmbed;

/** Reads a payment by Mollie's id, with its refunds. @throws ProviderFault */
export const readPayment = (mollieId: string): Promise<Payment> =>
  reachMollie((mollie) => mollie.payments.get(mollieId, { embed: REFUNDS }));
