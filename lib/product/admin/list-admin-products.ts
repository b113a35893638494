import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { ProductFilter } from '@/lib/contract/shapes/product';
import { listProducts } from '@/lib/product/list-products';

/** Returns one page of the products the actor may see, newest first. */
export const listAdminProducts = async (actor: Actor, page: Page, filter: ProductFilter = {}) =>
  listProducts(await shopsOf(actor), page, filter);
