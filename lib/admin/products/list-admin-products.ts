import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import { listProducts } from '@/lib/product/list-products';
import { type Actor, shownShop } from '../actor';

/** Returns one page of the products the actor may manage, newest first. */
export const listAdminProducts = async (actor: Actor, page: Page) =>
  listProducts(await shownShop(actor), page);
