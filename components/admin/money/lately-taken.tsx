'use client';

import { useState } from 'react';
import { startOfDays } from './start-of-days';
import { TakingsCards } from './takings-cards';

/** Shows what the shop took in the last 30 days. */
export function LatelyTaken() {
  const [from] = useState(() => startOfDays(30));
  return (
    <div className="grid gap-3 empty:hidden sm:grid-cols-2 lg:grid-cols-3">
      <TakingsCards asked={{ from }} heading="lately" />
    </div>
  );
}
