'use client';

import { readTexts, useUrlFilter } from '../kit/use-url-filter';

export interface TraceQuestion {
  saleId: string;
  /** E-mail address or id of the account. */
  user: string;
}

const readQuestion = readTexts({ saleId: '', user: '' });

/** Keeps the sale and the shopper of the question in the address, so that a link asks the same. For the browser only. */
export const useTraceQuestion = () => useUrlFilter<Record<keyof TraceQuestion, string>>(readQuestion);
