import { describe, expect, it } from 'vitest';
import { warnOfImplausible } from '../../../src/ingest/sync/implausible.ts';
import { aLine } from '../../support/focus.ts';
import { billsOfFile } from '../world.ts';

const bills = billsOfFile();

describe('an implausible charge', () => {
  it('is counted, with a warning at each sync', async () => {
    const account = await bills();
    const { accountId, scope, deps } = account;
    await deps.db.accountSync.create({ data: { accountId, organizationId: scope.organizationId } });
    const may = { BillingPeriodStart: '2026-05-01T00:00:00Z', BillingPeriodEnd: '2026-06-01T00:00:00Z' };
    await account.put('a.csv', [
      aLine({ day: '2099-01-05', ...may }),
      aLine({ day: '2026-05-03', BillingCurrency: 'XXQ' }),
    ]);
    const warnings = [
      '2026-05: charges are dated up to 2099-01-05, in the future and after the billing month; check ChargePeriodStart in the export',
      '2026-05: the currency XXQ is not an ISO 4217 code, so its charges are not converted; check BillingCurrency in the export',
    ];
    for (const _sync of [1, 2]) {
      await account.sync();
      const { warnings: found } = await deps.db.accountSync.findUniqueOrThrow({ where: { accountId } });
      expect(found).toEqual(warnings);
    }
  });

  it.each([
    ['the last day of the month', '2026-05-31', 'USD'],
    ['a day of the next month that has passed', '2026-06-01', 'EUR'],
    ['a future day of the month', '2026-05-30', 'XAF'],
  ] as const)('is not a charge on %s', (_what, dataTo, currency) => {
    expect(warnOfImplausible([{ month: '2026-05', dataTo, currencies: [currency] }], '2026-06-02')).toEqual([]);
    expect(warnOfImplausible([{ month: '2026-05', dataTo: '2026-05-31', currencies: [] }], '2026-05-10')).toEqual([]);
  });

  it('in several months has one warning per currency', () => {
    const months = ['2026-04', '2026-05'] as const;
    const found = months.map((month) => ({ month, dataTo: '2026-04-30' as const, currencies: ['USD', 'ABC'] }));
    expect(warnOfImplausible(found, '2026-06-02')).toEqual([expect.stringMatching(/^2026-04 to 2026-05: .* ABC /)]);
  });
});
