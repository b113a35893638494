import { issueEntry } from '@/lib/admission/issue-entry';
import { db } from '@/lib/db/client';
import { purchase } from '@/lib/purchase/purchase';

/** For tests: the gate of a sale. */
export async function gateOf(saleId: string): Promise<string> {
  return (await db().sale.findUniqueOrThrow({ where: { id: saleId }, select: { gate: true } })).gate;
}

/** For tests: asks for entry as a shopper does. @returns the token, or why not */
export async function enter(
  saleId: string,
  userId: string,
): Promise<{ token: string } | { refused: string }> {
  const result = await issueEntry(saleId, { userId, level: 0 });
  return result.status === 'entered' ? { token: result.entryToken } : { refused: result.status };
}

/** For tests: buys with a token as a shopper does. @returns the order's number, or the refusal */
export async function buyWith(saleId: string, token: string, quantity = 1) {
  const { status, body } = await purchase({
    saleId,
    gate: await gateOf(saleId),
    entryToken: token,
    body: JSON.stringify({ quantity }),
  });
  const told = JSON.parse(body) as { orderNo?: string; code?: string; campaignLimit?: number };
  return { http: status, ...told };
}

/** For tests: enters and buys. @returns the order's number, or the code of the refusal */
export async function enterAndBuy(saleId: string, userId: string, quantity = 1): Promise<string> {
  const entry = await enter(saleId, userId);
  if ('refused' in entry) return entry.refused;
  const told = await buyWith(saleId, entry.token, quantity);
  return told.code ?? told.orderNo ?? '';
}
