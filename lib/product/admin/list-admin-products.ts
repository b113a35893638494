import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import { listProducts } from '@/lib/product/list-products';

/** Returns one page of the products the actor may manage, newest first. */
export const listAdminProducts = async (actor: Actor, page: Page) => listProducts(await shopsOf(actor), page);
