/**
 * Who sent a request: the peer of the connection or, behind `hops` proxies of ours, whom the outermost of them saw. What
 * stands further left in `X-Forwarded-For` anybody may have made up.
 */
export function clientAddress(
  peer: string | null,
  forwardedFor: string | string[] | null | undefined,
  hops: number,
): string | null {
  if (hops === 0 || !forwardedFor) return peer;
  const seen = String(forwardedFor).split(',');
  return (seen.at(-hops) ?? seen[0] ?? '').trim() || peer;
}
