import { askSmallJson, type SmallAnswer } from '@/lib/http/ask-small-json';
import { OpenIdError } from './types';

/** How long one answer of the server may take, and how large it may be. */
const WITHIN_MS = 3_000;
const MAX_BYTES = 128 * 1_024;

/** Asks the server that signs people in. @throws OpenIdError `away` if there is no whole answer in time */
export async function askProvider(url: string, init: RequestInit = {}): Promise<SmallAnswer> {
  let answer: SmallAnswer;
  try {
    answer = await askSmallJson(url, { ...init, withinMs: WITHIN_MS, maxBytes: MAX_BYTES });
  } catch (error) {
    // Neither the address, which may hold a code, nor the body.
    throw new OpenIdError('away', `no answer: ${error instanceof Error ? error.message : 'unknown'}`);
  }
  if (answer.status >= 500 || answer.status === 429)
    throw new OpenIdError('away', `the answer was ${answer.status}`);
  return answer;
}
