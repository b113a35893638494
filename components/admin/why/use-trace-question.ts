'use client';

import { readTexts, useUrlFilter } from '../kit/use-url-filter';

export interface TraceQuestion {
  saleId: string;
  /** E-mail address or id of the account. */
  user: string;
}

const readQuestion = readTexts({ saleId: '', user: '' });

/** Whom and which sale is asked about, kept in the address so that a link says the same. For the browser only. */
export const useTraceQuestion = () => useUrlFilter<Record<keyof TraceQuestion, string>>(readQuestion);
