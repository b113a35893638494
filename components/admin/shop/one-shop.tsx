'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { useRefreshSession, useSession } from '@/components/session/use-session';
import { Problem } from '@/components/ui/problem';
import type { ShopView } from '@/lib/contract/shapes/team';
import { DataTable } from '../kit/data-table';
import { InvitationList } from './invitation-list';
import { InviteMemberForm } from './invite-member-form';
import { MemberRow } from './member-row';
import { NameForm } from './name-form';
import { ShippingForm } from './shipping-form';

/** Shows one shop with its members, and what the reader can change of it. */
export function OneShop({ shopId }: { shopId: string }) {
  const t = useTranslations('AdminShop');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  const queryKey = ['GET /api/admin/shops', 'one', shopId];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => request('GET /api/admin/shops/{shopId}', { params: { shopId }, signal }),
    retry: (count, problem) => problemCode(problem) !== 'SHOP_NOT_FOUND' && count < 3,
  });
  /** Shows at once what was saved: the next change needs its version. */
  const onSaved = (shop: ShopView) => void client.setQueryData(queryKey, shop);
  const onChange = async () => {
    // Leaving the last shop signs out.
    await refreshSession();
    await client.invalidateQueries({ queryKey: ['GET /api/admin/shops'] });
  };
  if (problemCode(error) === 'SHOP_NOT_FOUND') return <p className="text-muted">{t('gone')}</p>;
  if (!data) return error ? <Problem error={error} /> : <p className="text-muted">{common('loading')}</p>;
  return (
    <div className="grid gap-8">
      {data.mayChange ? (
        <NameForm shop={data} onSaved={onSaved} onChange={onChange} />
      ) : (
        <p className="font-semibold text-xl [overflow-wrap:anywhere]">{data.name}</p>
      )}
      <Members shop={data} onChange={onChange} />
      {data.mayChange ? (
        <>
          <InviteMemberForm shopId={shopId} onChange={onChange} />
          <InvitationList shop={data} onChange={onChange} />
          <ShippingForm shop={data} onSaved={onSaved} onChange={onChange} />
        </>
      ) : null}
    </div>
  );
}

function Members({ shop, onChange }: { shop: ShopView; onChange: () => Promise<void> }) {
  const t = useTranslations('AdminShop');
  const session = useSession();
  const own = session.status === 'signed_in' ? session.user.id : '';
  if (shop.members.length === 0) return <p className="text-muted">{t('noMembers')}</p>;
  return (
    <section aria-label={t('members')} className="grid gap-3">
      <h2 className="font-semibold text-lg">{t('members')}</h2>
      <DataTable
        caption={t('members')}
        className="min-w-0"
        columns={[
          { label: t('member') },
          // Hidden on a phone.
          { label: t('role'), className: 'max-sm:hidden' },
          { label: t('since'), className: 'max-sm:hidden' },
          { label: t('manage'), isHidden: true },
        ]}
      >
        {shop.members.map((member) => (
          <MemberRow
            key={member.userId}
            shopId={shop.shopId}
            member={member}
            isSelf={member.userId === own}
            mayChange={shop.mayChange}
            onChange={onChange}
          />
        ))}
      </DataTable>
    </section>
  );
}
