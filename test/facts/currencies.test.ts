import { expect, it } from 'vitest';
import { readConversions } from '../../src/facts/currencies.ts';
import { newId } from '../../src/kit/ids.ts';
import { setExchangeRates } from '../../src/tenancy/org/exchange-rates.ts';
import { aTeam } from '../tenancy/team.ts';
import { origin } from '../tenancy/support.ts';

it('converts at the rate of the month or the last one before it, exactly', async () => {
  const team = await aTeam();
  const { deps, organizationId, accounts } = team;
  const { viewer } = await team.login('ana');
  const actor = { organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  await setExchangeRates(deps, viewer.scope, actor, [
    { month: '2026-07', from: 'EUR', to: 'USD', rate: 1.1 },
    { month: '2026-09', from: 'EUR', to: 'USD', rate: 1.000001 },
  ]);
  const where = { id: accounts.one };
  await team.db.account.update({ where, data: { completeThrough: new Date('2026-08-31') } });
  const conversions = await readConversions(deps.pool, viewer.scope, [
    { currency: 'EUR', month: '2026-06' },
    { currency: 'EUR', month: '2026-07' },
    { currency: 'EUR', month: '2026-08' },
    { currency: 'EUR', month: '2026-11' },
    { currency: 'USD', month: '2026-06' },
    { currency: 'JPY', month: '2026-11' },
    { currency: 'EUR', accountId: accounts.one },
    { currency: 'EUR', accountId: newId(new Date()) },
  ]);
  expect(conversions.map((to) => to && [to.currency, to.of('0.3'), to.of(null)])).toEqual([
    null,
    ['USD', 0.33, null],
    ['USD', 0.33, null],
    ['USD', 0.3, null],
    ['USD', 0.3, null],
    null,
    ['USD', 0.33, null],
    null,
  ]);
  expect(conversions[3]?.of(1234.5)).toBe(1234.501235);
});
