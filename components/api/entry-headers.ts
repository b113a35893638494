/** Returns the header with the entry token an order was bought with; no header where the session identifies the shopper. */
export const entryHeaders = (entryToken: string | null): Record<string, string> =>
  entryToken === null ? {} : { 'x-entry-token': entryToken };
