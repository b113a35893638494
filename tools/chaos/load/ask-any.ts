import { ask, type Reply } from '@/tools/harness/ask';
import type { Random } from '@/tools/harness/random';
import { ownHeaders, sessionCookie } from '@/tools/harness/sign-in';
import type { Web } from '@/tools/harness/stack/start-stack';

type Shop = { webs: readonly Web[]; random: Random };
type Asking = { method?: string; body?: object };

/** Asks any of the web processes as a user who has signed in earlier. */
export function askAny(
  { webs, random }: Shop,
  userId: string,
  path: string,
  asking: Asking = {},
): Promise<Reply> {
  const { origin } = random.pick(webs);
  const { method = 'POST', body = {} } = asking;
  const headers = ownHeaders(sessionCookie(userId), origin);
  return ask(`${origin}${path}`, { method, headers, body: JSON.stringify(body) });
}
