import pLimit from 'p-limit';
import { gateOf, purchase } from './sales';

/** Requests under way at once. */
const AT_ONCE = 50;

/** The answer one shopper of a crowd got; `code` for a refusal, `orderNo` for an accepted purchase. */
export type Told = { token: string; status: number; code?: string; orderNo?: string };

/** Lets every shopper press the button once, each with their own token. @returns their answers, in the same order */
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

/** Filters: the shoppers whose purchase was accepted, and those who got a given code. */
export const isIn = ({ status }: Told): boolean => status === 202;
export const wasTold =
  (code: string) =>
  (told: Told): boolean =>
    told.code === code;
