'use client';

import { useState } from 'react';
import { Card } from '@/components/ui/card';
import { AccountRoom } from './account-room';
import { DeleteAccount } from './delete-account';
import { Deleted } from './deleted';
import { OwnData } from './own-data';

/** The room for the visitor's data: they download it, or delete the account. */
export function DataRoom() {
  const [isDeleted, setDeleted] = useState(false);
  if (isDeleted) return <Deleted />;
  return (
    <AccountRoom room="data">
      {({ email }) => (
        <>
          <Card className="p-5 sm:p-6">
            <OwnData />
          </Card>
          <Card className="p-5 sm:p-6">
            <DeleteAccount email={email} onDeleted={() => setDeleted(true)} />
          </Card>
        </>
      )}
    </AccountRoom>
  );
}
