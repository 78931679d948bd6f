import type pg from 'pg';
import type { OrgScope } from './auth/scope.ts';

/** Removes a deleted account from the access of members and invitations.
 *  @param client a connection with an open transaction */
export async function deleteAccountAccess(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<void> {
  const values = [accountId, scope.organizationId];
  await client.query(
    `/* forgetAccountInMemberships */ UPDATE memberships SET account_access = array_remove(account_access, $1::uuid)
    WHERE organization_id = $2 AND $1::uuid = ANY(account_access)`,
    values,
  );
  await client.query(
    `/* forgetAccountInInvites */ UPDATE invites SET account_access = array_remove(account_access, $1::uuid)
    WHERE organization_id = $2 AND $1::uuid = ANY(account_access)`,
    values,
  );
}
