import 'server-only';
import { env } from '@/lib/env';

/** Names a server that signs people in, for people; one that the shop uses no more by its host. */
export function nameOfServer(issuer: string): string {
  const { openId } = env();
  return openId?.issuer === issuer ? openId.name : new URL(issuer).host;
}
