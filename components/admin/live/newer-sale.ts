interface Versioned {
  saleId: string;
  version: number;
}

/**
 * Returns the newer of two looks at a sale. A sample that was being counted while the merchant changed the sale comes after
 * the answer to the change, and would take it back on the page for a second.
 */
export const newerSale = <S extends Versioned>(shown: S | null, came: S): S =>
  shown !== null && shown.saleId === came.saleId && shown.version > came.version ? shown : came;
