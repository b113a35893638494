import type { Actor } from '@/lib/actor/actor';
import type { Role } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { askAdmin } from '@/tools/harness/ask-admin';
import { draftSale, makeProduct, type SaleTerms } from '@/tools/harness/draft-sale';
import { signIn } from '@/tools/harness/sign-in';

/** One of the demo's accounts, signed in. */
export type Staff = { actor: Actor; session: string };

export type Shown = { saleId: string; slug: string };

type Product = Omit<Parameters<typeof makeProduct>[1], 'slug'>;

/** Signs in one of the demo's accounts. */
export async function demoStaff(role: Exclude<Role, 'shopper' | 'operator'>): Promise<Staff> {
  const { id } = await db().user.findUniqueOrThrow({ where: { email: `${role}@example.com` } });
  return { actor: { userId: id, role }, session: await signIn(id) };
}

/** Publishes a sale of a new product, with 15 minutes to pay. */
export async function publishSale(
  origin: string,
  { actor, session }: Staff,
  product: Product,
  terms: Omit<SaleTerms, 'productId' | 'title'>,
): Promise<Shown> {
  const { name } = product;
  const productId = await makeProduct(actor, { ...product, slug: name.toLowerCase().replaceAll(' ', '-') });
  const { saleId, slug } = await draftSale(actor, {
    productId,
    title: name,
    paymentWindowSec: 900,
    // Uses the admin area's default, ten minutes before the start.
    entryOpensAt: undefined,
    ...terms,
  });
  await askAdmin(origin, session, `sales/${saleId}/publish`);
  return { saleId, slug };
}
