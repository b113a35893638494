import pLimit from 'p-limit';
import { gateOf, purchase } from './sales';

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
