'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Problem } from '@/components/ui/problem';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { DeleteForm } from './delete-form';
import { isInTheWay, OpenThings } from './open-things';

type DeleteAccountProps = {
  /** For the browser's list of passwords. */
  email: string;
  onDeleted: () => void;
};

/** Says what is open and what becomes of it, and then lets the visitor delete the account. */
export function DeleteAccount({ email, onDeleted }: DeleteAccountProps) {
  const t = useTranslations('Account');
  const common = useTranslations('Common');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['deletion'],
    queryFn: ({ signal }) => request('GET /api/account/deletion', { signal }),
    staleTime: 0,
  });
  const isRefused = data !== undefined && isInTheWay(data);
  // Once nothing is in the way any more, the button that was pressed is gone.
  const focus = useKeptFocus(error ? 'failed' : data ? String(isRefused) : 'loading');
  const again = (
    <Button className="justify-self-start" isBusy={isFetching} onClick={() => void refetch()}>
      {error ? common('retry') : t('deleteCheck')}
    </Button>
  );
  return (
    <section aria-labelledby="delete" className="grid gap-5">
      <h2 id="delete" className="font-semibold text-xl">
        {t('delete')}
      </h2>
      <p className="text-muted">{t('deleteText')}</p>
      <div {...focus} tabIndex={-1} className="grid gap-5 outline-none">
        {error ? (
          <>
            <Problem error={error} />
            {again}
          </>
        ) : data ? (
          <>
            <OpenThings deletion={data} />
            {isRefused ? (
              data.isDemo ? null : (
                again
              )
            ) : (
              <DeleteForm
                email={email}
                needsCode={data.needsCode}
                onDeleted={onDeleted}
                onRefused={() => void refetch()}
              />
            )}
          </>
        ) : (
          <p className="text-muted">{common('loading')}</p>
        )}
      </div>
    </section>
  );
}
