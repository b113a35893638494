import { expect } from '@playwright/test';
import pLimit from 'p-limit';
import type { Shopper } from './accounts';
import { Client } from './client';
import { expectOrder, gateOf, purchase } from './sales';

/** Requests under way at once. */
const AT_ONCE = 50;

/** What somebody of a crowd was told; `code` of who was refused, `orderNo` of who is in. */
export type Told = { token: string; status: number; code?: string; orderNo?: string };

/** Has everybody press the button once, each with a token of their own. @returns what they were told, in their order */
export async function press(saleId: string, tokens: readonly string[]): Promise<Told[]> {
  const [limit, gate] = [pLimit(AT_ONCE), await gateOf(saleId)];
  const one = async (token: string): Promise<Told> => {
    const { status, body } = await purchase(saleId, gate, token);
    return status === 202
      ? { token, status, orderNo: String(body.orderNo) }
      : { token, status, code: String(body.code) };
  };
  return Promise.all(tokens.map((token) => limit(() => one(token))));
}

/** Those who were told that they are in, and those who were told this. */
export const isIn = ({ status }: Told): boolean => status === 202;
export const wasTold =
  (code: string) =>
  (told: Told): boolean =>
    told.code === code;

/** Pays an order in the sandbox, as its page does, and waits until it is paid. */
export async function pay({ client }: Pick<Shopper, 'client'>, orderNo: string): Promise<void> {
  const { body } = await client.post(`/api/orders/${orderNo}/pay`);
  const token = new URL(String(body.redirectUrl), 'http://x').searchParams.get('token');
  const paid = await new Client().post(`/api/payments/sandbox/${body.paymentId}/pay`, { token });
  expect(paid.status, paid.text).toBe(200);
  await expectOrder({ client }, orderNo, 'paid');
}
