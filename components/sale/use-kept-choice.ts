import { useEffect, useState } from 'react';

const keyOf = (saleId: string) => `seckill:variant:${saleId}`;

/**
 * Holds the number of the variant that somebody chose, 0: none. This tab keeps it: signing in leads away from the page and
 * back.
 */
export function useKeptChoice(saleId: string): [variant: number, keep: (variant: number) => void] {
  const [variant, setVariant] = useState(0);
  useEffect(() => {
    try {
      setVariant(Number(window.sessionStorage.getItem(keyOf(saleId))) || 0);
    } catch {
      // Only this page knows the choice then.
    }
  }, [saleId]);
  const keep = (chosen: number) => {
    setVariant(chosen);
    try {
      window.sessionStorage.setItem(keyOf(saleId), String(chosen));
    } catch {
      // As above.
    }
  };
  return [variant, keep];
}
