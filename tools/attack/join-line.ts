import { randomBytes } from 'node:crypto';
import type { Reply } from '@/tools/harness/ask';
import { type Client, nameOf, patiently, post, solveWithin } from '@/tools/harness/client';

/** What a farm's processors can still calculate, in tries; a person's is never used up. */
export type Budget = { tries: number };

const PERSONS: Budget = { tries: Number.POSITIVE_INFINITY };

export const joinPath = (saleId: string): string => `/api/sales/${saleId}/line`;

/** Joins once, as a page's script does, with a nonce of its own. */
export const join = (client: Client, saleId: string, body: object = {}): Promise<Reply> =>
  post(client, joinPath(saleId), { body: { nonce: randomBytes(16).toString('base64url'), ...body } });

/**
 * Joins as a page does: a browser that comes for the first time gets its cookie with the first answer and asks again, and
 * does the calculation that it is asked for.
 */
export const joinLikeAPerson = (human: Client, saleId: string): Promise<Reply> =>
  patiently(() => joinWithin(human, saleId, PERSONS));

/**
 * Joins so many times at once, and once more with the calculation where one is asked for and the farm can afford it; that
 * answer goes out so many times at once as well.
 */
export async function joinAtOnce(
  bot: Client,
  saleId: string,
  { times, budget, body = () => ({}) }: { times: number; budget: Budget; body?: (nth: number) => object },
): Promise<Reply[]> {
  const send = (more: object) =>
    Promise.all(Array.from({ length: times }, (_, nth) => join(bot, saleId, { ...body(nth), ...more })));
  const replies = await send({});
  if (replies.some((reply) => nameOf(reply).endsWith('DEVICE_REQUIRED'))) replies.push(...(await send({})));
  if (!replies.some((reply) => nameOf(reply).endsWith('CHALLENGE_REQUIRED'))) return replies;
  const solution = await solveWithin(bot, saleId, budget);
  if (!('kind' in solution)) return [...replies, ...(await send({ challenge: solution }))];
  const isNotNeeded = nameOf(solution).endsWith('NOT_NEEDED');
  return isNotNeeded ? [...replies, ...(await send({}))] : [...replies, solution];
}

async function joinWithin(client: Client, saleId: string, budget: Budget): Promise<Reply> {
  const replies = await joinAtOnce(client, saleId, { times: 1, budget });
  return replies.at(-1) as Reply;
}
