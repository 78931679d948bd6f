import { useMay, useMe } from '../api/me.tsx';
import type { PolicyRow } from './queries.ts';

/** Whether the caller may change a policy: those of every account are for who sees every account. */
export function useMayChange(policy: Pick<PolicyRow, 'accountId'>): boolean {
  const { accountAccess } = useMe();
  const mayWrite = useMay('tag_policies.write');
  return mayWrite && (accountAccess === null || policy.accountId !== null);
}
