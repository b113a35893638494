/** Lists the sales that the items belong to, each once, in order of first appearance. */
export const saleIdsOf = (items: readonly { saleId: string }[]): string[] => [
  ...new Set(items.map(({ saleId }) => saleId)),
];
