import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { SHOPS, useShops } from './use-shops';

/**
 * Returns what a form sends of the shop for which it makes something: the one that was chosen when it was first shown.
 * Another tab may choose another one meanwhile; then the server refuses, and the next try is for that one.
 */
export function useShownShop() {
  const client = useQueryClient();
  const chosen = useShops()?.chosen ?? undefined;
  const first = useRef<string>(undefined);
  useEffect(() => {
    first.current ??= chosen;
  }, [chosen]);
  return {
    shopOf: (): string | undefined => first.current ?? chosen,
    /** Takes the refusal of the server. */
    refuse: async (error: unknown): Promise<void> => {
      if (problemCode(error) !== 'SHOP_CHANGED') return;
      await client.invalidateQueries({ queryKey: [SHOPS] });
      first.current = undefined;
    },
  };
}
