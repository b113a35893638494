'use client';

import { adminPage, PageFrame } from '../kit/admin-page';
import { InviteForm } from './invite-form';
import { LevelRules } from './level-rules';
import { UserTable } from './user-table';

/** Shows who has an account, and what they may do. */
function Users() {
  return (
    <PageFrame words="AdminUsers">
      <InviteForm />
      <UserTable />
      <LevelRules />
    </PageFrame>
  );
}

export const UsersPage = adminPage(Users, 'manageUsers', 'AdminUsers');
