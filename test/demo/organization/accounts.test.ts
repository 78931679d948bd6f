import { expect, it } from 'vitest';
import { syncAccounts } from '../../../src/demo/organization/accounts.ts';
import { demoOrigin } from '../../../src/demo/organization/tenant.ts';
import { orgScope, type Viewer } from '../../../src/tenancy/auth/scope.ts';
import { anAccounting } from '../../ingest/accounts/world.ts';
import { aLine } from '../../support/focus.ts';

it('syncs the accounts of an earlier start, and leaves a disconnected one as it is', async () => {
  const { deps, put, call } = await anAccounting();
  for (const [at, folder] of ['aws', 'azure', 'gcp'].entries())
    await put(`${folder}/a.csv`, [aLine({ day: '2026-05-03', SubAccountId: `s${at}` })]);
  const { userId, organizationId } = await deps.db.membership.findFirstOrThrow();
  const viewer = { scope: orgScope(organizationId, null), userId } as Viewer;
  const actor = { ...demoOrigin, organizationId, userId, email: 'ana@example.com' };
  const ids = await syncAccounts(deps, viewer, actor);
  await call('DELETE', `/accounts/${ids[1]}`);
  expect(await syncAccounts(deps, viewer, actor)).toEqual(ids);
  const accounts = await deps.db.account.findMany({ where: { status: 'disconnected' }, select: { id: true } });
  expect(accounts).toEqual([{ id: ids[1] }]);
});
