'use client';

import { useState } from 'react';

export interface TraceQuestion {
  saleId: string;
  /** E-mail address or id of the account. */
  user: string;
}

/** Whom and which sale is asked about, kept in the address so that a link says the same. For the browser only. */
export function useTraceQuestion(): [TraceQuestion, (question: TraceQuestion) => void] {
  const [question, setQuestion] = useState(() => {
    const params = new URLSearchParams(window.location.search);
    return { saleId: params.get('saleId') ?? '', user: params.get('user') ?? '' };
  });
  const ask = (next: TraceQuestion) => {
    setQuestion(next);
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...next })}`);
  };
  return [question, ask];
}
