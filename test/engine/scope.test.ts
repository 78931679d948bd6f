import { describe, expect, it } from 'vitest';
import { FactSet } from '../../src/engine/fact-set.ts';
import { engineWorld } from './world.ts';

const sum = 'SELECT x_AccountId AS account, sum(EffectiveCost) AS cost FROM facts GROUP BY ALL ORDER BY ALL';

describe('openFacts', () => {
  it('selects only the files of accounts in scope', async () => {
    const { set, write, organization, ask } = await engineWorld();
    const [plum, kite] = [await organization(3), await organization(1)];
    const [a = '', b = '', c = ''] = plum.accountIds;
    const [other = ''] = kite.accountIds;
    for (const [index, account] of plum.accountIds.entries())
      await write(plum.id, account, '2026-03', [{ ChargePeriodStart: '2026-03-05', EffectiveCost: `${index + 1}.5` }]);
    await write(kite.id, other, '2026-03', [{ ChargePeriodStart: '2026-03-05', EffectiveCost: '100' }]);

    const cost = (account: string, amount: string) => ({ account, cost: `${amount}0000000` });
    expect(await ask(await set(plum.id), sum)).toEqual([cost(a, '1.5'), cost(b, '2.5'), cost(c, '3.5')]);
    expect(await ask(await set(plum.id, {}, [a, other]), sum)).toEqual([cost(a, '1.5')]);
    expect(await ask(await set(plum.id, { accountIds: [b, c, other] }, [a, b]), sum)).toEqual([cost(b, '2.5')]);
    expect((await set(plum.id, { accountIds: [other] })).parts).toEqual([]);
    expect(await ask(await set(plum.id, { accountIds: [b] }, [a]), sum)).toEqual([]);
  });
});

describe('engine', () => {
  it('returns no row of another account from a wrongly selected file', async () => {
    const { set, write, organization, ask } = await engineWorld();
    const [plum, kite] = [await organization(2), await organization(1)];
    const [a = '', b = ''] = plum.accountIds;
    const [other = ''] = kite.accountIds;
    for (const account of [a, b]) await write(plum.id, account, '2026-03', [{ ChargePeriodStart: '2026-03-05' }]);
    await write(kite.id, other, '2026-03', [{ ChargePeriodStart: '2026-03-05' }]);
    const files = [...(await set(plum.id)).parts, ...(await set(kite.id)).parts].flatMap((part) => part.files);

    const wrong = new FactSet(
      { organizationId: plum.id, userId: null },
      [a, other],
      [{ files, start: null, end: null }],
    );

    expect(await ask(wrong, 'SELECT DISTINCT x_AccountId AS account FROM facts')).toEqual([{ account: a }]);
  });
});
