/** What says by which entry token an order was bought; nothing where the session says who asks. */
export const entryHeaders = (entryToken: string | null): Record<string, string> =>
  entryToken === null ? {} : { 'x-entry-token': entryToken };
