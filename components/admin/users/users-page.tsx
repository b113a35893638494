'use client';

import { adminPage, PageFrame } from '../kit/admin-page';
import { InviteForm } from './invite-form';
import { UserTable } from './user-table';

/** Shows who has an account, and what they may do. */
function Users() {
  return (
    <PageFrame words="AdminUsers">
      <InviteForm />
      <UserTable />
    </PageFrame>
  );
}

export const UsersPage = adminPage(Users, 'manageUsers', 'AdminUsers');
