'use client';

import { useTranslations } from 'next-intl';
import { ROLES } from '@/lib/contract/words/roles';
import type messages from '@/messages/en.json';

type Kind = keyof (typeof messages)['AdminAudit']['kinds'];

/** Puts in words who acted on what. A role or kind without words is called by its name. */
export function useKindWords() {
  const kinds = useTranslations('AdminAudit.kinds');
  const roles = useTranslations('Account.roles');
  return {
    roleWord: (role: string) => {
      const known = ROLES.find((name) => name === role);
      return known ? roles(known) : role;
    },
    kindWord: (kind: string) => (kinds.has(kind as Kind) ? kinds(kind as Kind) : kind),
  };
}
