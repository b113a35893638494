import type { Area } from '../operation';
import { account } from './account';
import { deskBlocks } from './desk-blocks';
import { deskOrders } from './desk-orders';
import { deskProducts } from './desk-products';
import { deskQueues } from './desk-queues';
import { deskRisk } from './desk-risk';
import { deskSales } from './desk-sales';
import { health } from './health';
import { orders } from './orders';
import { payments } from './payments';
import { shop } from './shop';

/** All that is documented, in the order in which the page shows it. */
export const AREAS: readonly Area[] = [
  ...[shop, orders, payments, account],
  ...[deskSales, deskProducts, deskOrders, deskBlocks, deskRisk, deskQueues],
  health,
];
