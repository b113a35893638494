/** Returns the query by which the next page of a sign-in knows where its visitor wants to go; empty if nowhere. */
export const wantedQuery = (callbackUrl: string | null): string =>
  callbackUrl ? `?${new URLSearchParams({ callbackUrl })}` : '';
