import type { StockMode } from '@/lib/contract/words/sale';

/** The seller of a sale, as of the last look. `epoch` rises whenever Redis loses the sale or gets it back. */
export type StockPlace = { saleId: string; mode: StockMode; epoch: number; total: number };
