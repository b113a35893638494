import type { Role } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { ask } from '@/tools/chaos/load/ask';
import { ownHeaders, signIn } from '@/tools/chaos/load/sign-in';

/** The session's cookie of one of the demo's accounts. */
export async function demoSession(role: Exclude<Role, 'shopper' | 'operator'>): Promise<string> {
  const { id } = await db().user.findUniqueOrThrow({ where: { email: `${role}@example.com` } });
  return signIn(id);
}

/** Does something in the admin area. @returns the answer @throws if it was refused */
export async function atAdmin(
  origin: string,
  session: string,
  path: string,
  body: object = {},
): Promise<Record<string, unknown>> {
  const reply = await ask(`${origin}/api/admin/${path}`, {
    method: 'POST',
    headers: ownHeaders(session, origin),
    body: JSON.stringify(body),
  });
  if (reply.kind === 'unanswered' || reply.httpStatus >= 300)
    throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return reply.body;
}

export type Shown = { saleId: string; slug: string };

/** A product and its published sale. @param sale what a merchant may set of it */
export async function publishSale(
  origin: string,
  session: string,
  { product, ...terms }: { product: { name: string } & Record<string, unknown> } & Record<string, unknown>,
): Promise<Shown> {
  const { name } = product;
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const { productId } = await atAdmin(origin, session, 'products', { slug, ...product });
  const made = await atAdmin(origin, session, 'sales', {
    productId,
    title: name,
    currency: 'EUR',
    limitPerUser: 1,
    paymentWindowSec: 900,
    ...terms,
  });
  const sale = { saleId: String(made.saleId), slug: String(made.slug) };
  await atAdmin(origin, session, `sales/${sale.saleId}/publish`);
  return sale;
}
